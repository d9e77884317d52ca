import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { useLocale } from "~/i18n";
import { LoginForm } from "./LoginForm";
import styles from "./SessionEnd.module.css";

interface Props {
  isOpen: boolean;
  onLogIn: () => void;
}

/**
 * Lets the user log in over the page when the session has ended, so that nothing typed is lost.
 * Until then, nobody sees the page.
 */
export function SessionEnd({ isOpen, onLogIn }: Props) {
  const { texts } = useLocale();
  return (
    <ModalOverlay isOpen={isOpen} className={styles.overlay ?? ""}>
      <Modal className={styles.modal ?? ""}>
        <Dialog className={styles.dialog ?? ""}>
          <Heading slot="title">{texts.logIn}</Heading>
          <LoginForm hint={texts.logInAgain} onLogIn={onLogIn} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
