import type { ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { keyTargets, type Mapping, withKey } from "~/model/importMapping";
import { Checkbox } from "~/ui/Checkbox";
import styles from "../imports.module.css";
import { useTargetName } from "./useTargetName";

interface Props {
  type: ObjectType;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}

/** The fields by which objects are found. */
export function KeyChecklist({ type, mapping, onChange }: Props) {
  const { texts } = useLocale();
  const nameOf = useTargetName(type);
  return (
    <>
      <p className={styles.soft}>{texts.imports.keyHint}</p>
      <div role="group" aria-label={texts.imports.key} className={styles.keys}>
        {keyTargets(mapping).map((target) => (
          <Checkbox
            key={target}
            label={nameOf(target)}
            isSelected={mapping.key.includes(target)}
            onChange={(isPart) => onChange(withKey(mapping, target, isPart))}
          />
        ))}
      </div>
    </>
  );
}
