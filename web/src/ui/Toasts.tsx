import { X } from "lucide-react";
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components";
import { problemOf } from "~/api/problem";
import { useLocale } from "~/i18n";
import type { Texts } from "~/i18n/en";
import { Button } from "./Button";
import styles from "./Toasts.module.css";

interface Content {
  /** A text, or what was thrown. */
  cause: unknown;
  variant: "done" | "failed";
  action: { label: string; run: () => void } | undefined;
}

const SHOWN_MS = 8_000;
const queue = new ToastQueue<Content>({ maxVisibleToasts: 3 });

/** Says what has been done, for a while; with an action, such as to undo it. */
export function toast(text: string, action?: Content["action"]) {
  queue.add({ cause: text, variant: "done", action }, { timeout: SHOWN_MS });
}

/** Says what failed, a text or what was thrown, until somebody closes it. */
export function toastFailure(cause: unknown) {
  queue.add({ cause, variant: "failed", action: undefined });
}

function reasonOf(error: unknown, texts: Texts): string {
  const { status, reason } = problemOf(error);
  return status === 0 ? texts.noConnection : reason;
}

/** Where the messages appear. */
export function Toasts() {
  const { texts } = useLocale();
  return (
    <ToastRegion queue={queue} className={styles.region ?? ""}>
      {({ toast }) => {
        const { cause, variant, action } = toast.content;
        return (
          <Toast toast={toast} className={`${styles.toast} ${styles[variant]}`}>
            <ToastContent className={styles.content ?? ""}>
              <Text slot="title">{typeof cause === "string" ? cause : reasonOf(cause, texts)}</Text>
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
