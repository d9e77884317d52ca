import { useBlocker } from "@tanstack/react-router";
import { useLocale } from "~/i18n";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";

interface Props {
  isActive: boolean;
  /** Another part of the same screen loses it, too. */
  isWithinPage?: boolean;
}

/** Asks before something typed is lost. */
export function LeaveGuard({ isActive, isWithinPage = false }: Props) {
  const { texts } = useLocale();
  const blocker = useBlocker({
    // Most screens that only show another part of themselves lose nothing.
    shouldBlockFn: ({ current, next }) =>
      isActive && (isWithinPage || current.pathname !== next.pathname),
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
          <Button variant="danger" onPress={() => blocker.proceed?.()}>
            {texts.form.leave}
          </Button>
        </>
      }
    >
      <p>{texts.form.leaveText}</p>
    </Dialog>
  );
}
