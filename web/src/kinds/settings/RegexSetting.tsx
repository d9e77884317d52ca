import { Check, CircleHelp, X } from "lucide-react";
import { useState } from "react";
import { useLocale } from "~/i18n";
import { testPattern } from "~/model/pattern";
import { TextField } from "~/ui/TextField";
import type { SettingProps } from "../kind";
import styles from "./settings.module.css";

/** The pattern, and a text to try it with. */
export function RegexSetting({ field, error, onChange }: SettingProps) {
  const { texts } = useLocale();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? field.placeholder ?? "";
  const pattern = field.regex ?? "";
  const [first] = useState(pattern);
  // The browser may work on a pattern for ever; nobody's may hold those who only look at it.
  const isTried = typed !== undefined || pattern !== first;
  return (
    <div className={styles.group}>
      <TextField
        label={texts.designer.regex}
        value={pattern}
        hint={texts.designer.regexHint}
        error={error}
        spellCheck="false"
        onChange={(regex) => onChange({ regex: regex || undefined })}
      />
      {pattern !== "" && (
        <div className={styles.tester}>
          <TextField
            label={texts.designer.regexTest}
            value={typed ?? ""}
            onChange={setTyped}
            placeholder={field.placeholder ?? undefined}
          />
          {isTried && <TestResult pattern={pattern} text={text} />}
        </div>
      )}
    </div>
  );
}

function TestResult({ pattern, text }: { pattern: string; text: string }) {
  const { texts } = useLocale();
  const { result, isUncertain } = testPattern(pattern, text);
  const [Icon, said] = {
    matches: [Check, texts.designer.regexMatches] as const,
    differs: [X, texts.designer.regexDiffers] as const,
    unreadable: [CircleHelp, texts.designer.regexUnreadable] as const,
  }[result];
  return (
    <div role="status" className={styles.result}>
      <p className={styles[result]}>
        <Icon size={14} aria-hidden="true" />
        {said}
      </p>
      {isUncertain && result !== "unreadable" && (
        <p className={styles.hint}>{texts.designer.regexUncertain}</p>
      )}
    </div>
  );
}
