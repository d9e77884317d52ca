import { useState } from "react";
import { useLocale } from "~/i18n";
import { Button } from "~/ui/Button";
import { copyText } from "~/ui/copyText";
import { Dialog } from "~/ui/Dialog";
import styles from "./Tokens.module.css";

/** A secret that nobody can read again. */
export function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { texts } = useLocale();
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => {
    copyText(secret);
    setIsCopied(true);
  };
  return (
    <Dialog title={texts.tokens.secret} isOpen onClose={onClose}>
      <p>{texts.tokens.secretHint}</p>
      <code className={styles.secret}>{secret}</code>
      <div className={styles.buttons}>
        <Button variant="primary" onPress={copy} autoFocus>
          <span aria-live="polite">{isCopied ? texts.copied : texts.tokens.copy}</span>
        </Button>
        <Button onPress={onClose}>{texts.close}</Button>
      </div>
    </Dialog>
  );
}
