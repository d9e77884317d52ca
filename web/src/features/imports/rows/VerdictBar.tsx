import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import type { Import } from "~/api/records";
import { useLocale } from "~/i18n";
import { type RowVerdict, rowCountsOf } from "~/model/importProgress";
import styles from "./VerdictBar.module.css";

interface Props {
  shown: Import;
  /** Empty for all rows. */
  verdict: RowVerdict | "";
  onVerdict: (verdict: RowVerdict | "") => void;
}

const ALL = "all";

/** How many rows have each verdict; a verdict shows its rows. */
export function VerdictBar({ shown, verdict, onVerdict }: Props) {
  const { texts, number } = useLocale();
  const counts = rowCountsOf(shown);
  if (counts.length === 0) return null;
  return (
    <div className={styles.summary}>
      <div className={styles.bar} aria-hidden="true">
        {counts.map(([id, count]) => (
          <span key={id} data-verdict={id} style={{ flexGrow: count }} />
        ))}
      </div>
      <ToggleButtonGroup
        aria-label={texts.imports.showOnly}
        className={styles.filters ?? ""}
        disallowEmptySelection
        selectedKeys={[verdict || ALL]}
        onSelectionChange={(keys) => {
          const key = [...keys][0];
          onVerdict(key === ALL || key === undefined ? "" : (key as RowVerdict));
        }}
      >
        <ToggleButton id={ALL} className={styles.filter ?? ""}>
          {texts.imports.all} <b>{number(shown.rows)}</b>
        </ToggleButton>
        {counts.map(([id, count]) => (
          <ToggleButton key={id} id={id} className={styles.filter ?? ""}>
            <span className={styles.dot} data-verdict={id} />
            {texts.imports.verdicts[id]} <b>{number(count)}</b>
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
}
