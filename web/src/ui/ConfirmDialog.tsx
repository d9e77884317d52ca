import type { ReactNode } from "react";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "./Alert";
import { Button } from "./Button";
import styles from "./ConfirmDialog.module.css";
import { Dialog } from "./Dialog";

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  confirmLabel: string;
  variant?: "primary" | "danger";
  onConfirm: () => void;
  isDisabled?: boolean;
  /** The button keeps the focus while it works. */
  isPending?: boolean;
  /** Why the last attempt failed. */
  error?: unknown;
  children: ReactNode;
}

/** Asks before something is done. */
export function ConfirmDialog(props: Props) {
  const { title, isOpen, onClose, confirmLabel, variant = "danger", onConfirm, error } = props;
  const { texts } = useLocale();
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      alert={error != null && <ProblemAlert error={error} />}
      actions={
        <>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button
            variant={variant}
            isPending={props.isPending ?? false}
            isDisabled={props.isDisabled ?? false}
            onPress={onConfirm}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className={styles.body}>{props.children}</div>
    </Dialog>
  );
}
