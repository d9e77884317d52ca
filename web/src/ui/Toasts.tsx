import { X } from "lucide-react";
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components";
import { useLocale } from "~/i18n";
import { Button } from "./Button";
import styles from "./Toasts.module.css";

interface Content {
  text: string;
  variant: "done" | "failed";
  action: { label: string; run: () => void } | undefined;
}

const SHOWN_MS = 8_000;
const queue = new ToastQueue<Content>({ maxVisibleToasts: 3 });

/** Says what has been done, for a while; with an action, such as to undo it. */
export function toast(text: string, action?: Content["action"]) {
  queue.add({ text, variant: "done", action }, { timeout: SHOWN_MS });
}

/** Says what failed, until somebody closes it. */
export function toastFailure(text: string) {
  queue.add({ text, variant: "failed", action: undefined });
}

/** Where the messages appear. */
export function Toasts() {
  const { texts } = useLocale();
  return (
    <ToastRegion queue={queue} className={styles.region ?? ""}>
      {({ toast }) => {
        const { text, variant, action } = toast.content;
        return (
          <Toast toast={toast} className={`${styles.toast} ${styles[variant]}`}>
            <ToastContent className={styles.content ?? ""}>
              <Text slot="title">{text}</Text>
            </ToastContent>
            {action && (
              <Button
                variant="quiet"
                onPress={() => {
                  queue.close(toast.key);
                  action.run();
                }}
              >
                {action.label}
              </Button>
            )}
            <Button slot="close" variant="quiet" aria-label={texts.close}>
              <X size={14} aria-hidden="true" />
            </Button>
          </Toast>
        );
      }}
    </ToastRegion>
  );
}
