import { useQuery } from "@tanstack/react-query";
import type { Import } from "~/api/records";
import { sourcesQuery } from "~/api/sources";
import { useLocale } from "~/i18n";
import { fittingSources } from "~/model/importSource";
import { Button } from "~/ui/Button";
import { Panel } from "~/ui/Page";
import styles from "../imports.module.css";

interface Props {
  shown: Import;
  isPending: boolean;
  onSource: (id: number) => void;
}

/** The sources that fit the columns of a file: each checks all rows by what it says. */
export function FittingSources({ shown, isPending, onSource }: Props) {
  const { texts } = useLocale();
  const sources = useQuery(sourcesQuery).data ?? [];
  const columns = (shown.columns ?? []).map(({ name }) => name);
  const fitting = fittingSources(sources, columns);
  if (fitting.length === 0) return null;
  return (
    <Panel title={texts.sources.use}>
      <p className={styles.soft}>{texts.sources.useHint}</p>
      <div className={styles.actions}>
        {fitting.map(({ public_id, name }) => (
          <Button key={public_id} onPress={() => onSource(public_id)} isPending={isPending}>
            {texts.sources.checkWith(name)}
          </Button>
        ))}
      </div>
    </Panel>
  );
}
