import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { useLocale } from "~/i18n";
import { Button } from "./Button";
import styles from "./Dialog.module.css";

interface Props {
  title: string;
  /** Nothing while it is closed, so that a dialog begins anew each time. */
  isOpen: boolean;
  onClose: () => void;
  width?: "narrow" | "wide";
  children: ReactNode;
  /** What the last attempt said. It stays beside the buttons, however long the dialog is. */
  alert?: ReactNode;
  /** The buttons at the bottom, the main one last. */
  actions?: ReactNode;
}

/** A window over the page; Escape closes it. */
export function Dialog({ title, isOpen, onClose, width = "narrow", children, ...props }: Props) {
  const { texts } = useLocale();
  const { alert, actions } = props;
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable
      onOpenChange={(opens) => !opens && onClose()}
      className={styles.overlay ?? ""}
    >
      <Modal className={`${styles.modal} ${styles[width]}`}>
        <AriaDialog className={styles.dialog ?? ""}>
          <div className={styles.header}>
            <Heading slot="title" className={styles.title ?? ""}>
              {title}
            </Heading>
            <Button variant="quiet" aria-label={texts.close} onPress={onClose}>
              <X size={16} aria-hidden="true" />
            </Button>
          </div>
          <div className={styles.body}>{children}</div>
          {alert && <div className={styles.alert}>{alert}</div>}
          {actions && <div className={styles.actions}>{actions}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
