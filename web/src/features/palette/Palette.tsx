import { useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { useActions } from "~/actions";
import { useLocale } from "~/i18n";
import { Finder } from "./Finder";
import styles from "./Palette.module.css";

/** Finds records and actions by typing. */
export function Palette() {
  const { texts } = useLocale();
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);
  useActions([
    { id: "palette", label: texts.palette.title, keys: "mod+k", run: open },
    { id: "search", label: texts.palette.search, keys: "/", run: open },
  ]);
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable
      onOpenChange={setIsOpen}
      className={styles.overlay ?? ""}
    >
      <Modal className={styles.modal ?? ""}>
        <Dialog aria-label={texts.palette.title} className={styles.dialog ?? ""}>
          <Finder onDone={() => setIsOpen(false)} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
