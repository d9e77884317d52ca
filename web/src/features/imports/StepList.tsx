import { Check } from "lucide-react";
import { useLocale } from "~/i18n";
import type { ImportStep } from "~/model/importProgress";
import { Button } from "~/ui/Button";
import styles from "./StepList.module.css";

const STEPS = ["file", "columns", "check", "result"] as const;

interface Props {
  current: "file" | ImportStep;
  /** The steps that can be opened from here. */
  open?: readonly ImportStep[];
  onOpen?: (step: ImportStep) => void;
}

/** Where an import is on its way. */
export function StepList({ current, open = [], onOpen }: Props) {
  const { texts } = useLocale();
  const place = STEPS.indexOf(current);
  return (
    <nav aria-label={texts.imports.steps}>
      <ol className={styles.steps}>
        {STEPS.map((step, index) => {
          const name = texts.imports.stepNames[step];
          const canOpen = step !== "file" && step !== current && open.includes(step);
          return (
            <li
              key={step}
              className={styles.step}
              data-done={index < place}
              aria-current={step === current ? "step" : undefined}
            >
              <span className={styles.number} aria-hidden="true">
                {index < place ? <Check size={13} /> : index + 1}
              </span>
              {canOpen ? (
                <Button variant="quiet" onPress={() => onOpen?.(step)}>
                  {name}
                </Button>
              ) : (
                <span className={styles.name}>{name}</span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
