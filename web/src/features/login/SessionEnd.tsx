import { useEffect, useState } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { onSessionEnd } from "~/api/client";
import { useLocale } from "~/i18n";
import { LoginForm } from "./LoginForm";
import styles from "./SessionEnd.module.css";

/** Lets the user log in over the page when the session has ended, so that nothing typed is lost. */
export function SessionEnd({ onLogIn }: { onLogIn: () => void }) {
  const { texts } = useLocale();
  const [hasEnded, setHasEnded] = useState(false);
  useEffect(() => onSessionEnd(() => setHasEnded(true)), []);
  const goOn = () => {
    setHasEnded(false);
    onLogIn();
  };
  return (
    <ModalOverlay isOpen={hasEnded} className={styles.overlay ?? ""}>
      <Modal className={styles.modal ?? ""}>
        <Dialog className={styles.dialog ?? ""}>
          <Heading slot="title">{texts.logIn}</Heading>
          <LoginForm hint={texts.logInAgain} onLogIn={goOn} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
