import { useState } from "react";
import { useLocale } from "~/i18n";
import { Button } from "./Button";
import styles from "./Command.module.css";
import { copyText } from "./copyText";

/** A line for a terminal, and a button that copies it. */
export function Command({ label, line }: { label: string; line: string }) {
  const { texts } = useLocale();
  const [isCopied, setIsCopied] = useState(false);
  const copy = () => {
    copyText(line);
    setIsCopied(true);
  };
  return (
    <div className={styles.command}>
      <p>{label}</p>
      <div className={styles.line}>
        <code>{line}</code>
        <Button onPress={copy} onBlur={() => setIsCopied(false)}>
          <span>
            <span aria-live="polite">{isCopied ? texts.copied : texts.systemPage.copy}</span>
            <span className="visually-hidden">: {line}</span>
          </span>
        </Button>
      </div>
    </div>
  );
}
