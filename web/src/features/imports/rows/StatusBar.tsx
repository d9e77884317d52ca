import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import type { Import } from "~/api/records";
import { useLocale } from "~/i18n";
import { type RowStatus, rowCountsOf } from "~/model/importProgress";
import styles from "./StatusBar.module.css";

interface Props {
  shown: Import;
  /** Empty for all rows. */
  status: RowStatus | "";
  onStatus: (status: RowStatus | "") => void;
}

const ALL = "all";

/** How many rows have each status; a status shows its rows. */
export function StatusBar({ shown, status, onStatus }: Props) {
  const { texts, number } = useLocale();
  const counts = rowCountsOf(shown);
  if (counts.length === 0) return null;
  return (
    <div className={styles.summary}>
      <div className={styles.bar} aria-hidden="true">
        {counts.map(([id, count]) => (
          <span key={id} data-status={id} style={{ flexGrow: count }} />
        ))}
      </div>
      <ToggleButtonGroup
        aria-label={texts.imports.showOnly}
        className={styles.filters ?? ""}
        disallowEmptySelection
        selectedKeys={[status || ALL]}
        onSelectionChange={(keys) => {
          const key = [...keys][0];
          onStatus(key === ALL || key === undefined ? "" : (key as RowStatus));
        }}
      >
        <ToggleButton id={ALL} className={styles.filter ?? ""}>
          {texts.imports.all} <b>{number(shown.rows)}</b>
        </ToggleButton>
        {counts.map(([id, count]) => (
          <ToggleButton key={id} id={id} className={styles.filter ?? ""}>
            <span className={styles.dot} data-status={id} />
            {texts.imports.statuses[id]} <b>{number(count)}</b>
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
}
