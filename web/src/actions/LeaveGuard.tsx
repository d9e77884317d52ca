import { useBlocker } from "@tanstack/react-router";
import { useLocale } from "~/i18n";
import { Button } from "~/kit/Button";
import { Dialog } from "~/kit/Dialog";

/** Asks before something typed is lost. */
export function LeaveGuard({ isActive }: { isActive: boolean }) {
  const { texts } = useLocale();
  const blocker = useBlocker({
    // A screen that only shows another part of itself loses nothing.
    shouldBlockFn: ({ current, next }) => isActive && current.pathname !== next.pathname,
    enableBeforeUnload: isActive,
    withResolver: true,
  });
  const stay = () => blocker.reset?.();
  return (
    <Dialog
      title={texts.form.leaveTitle}
      isOpen={blocker.status === "blocked"}
      onClose={stay}
      actions={
        <>
          <Button onPress={stay}>{texts.form.stay}</Button>
          <Button look="danger" onPress={() => blocker.proceed?.()}>
            {texts.form.leave}
          </Button>
        </>
      }
    >
      <p>{texts.form.leaveText}</p>
    </Dialog>
  );
}
