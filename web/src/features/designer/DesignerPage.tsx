import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { typeQuery } from "~/api/objectTypes";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { emptyType } from "~/model/typeDraft";
import { ProblemAlert } from "~/ui/Alert";
import { Designer } from "./Designer";
import styles from "./DesignerPage.module.css";
import type { DesignerTab } from "./tabs";

interface Props {
  tab: DesignerTab;
  onTab: (tab: DesignerTab) => void;
}

/** The designer of a stored type. */
export function DesignerPage({ id, ...tabs }: Props & { id: number }) {
  const { texts } = useLocale();
  const type = useQuery(typeQuery(id));
  const [isBegun, setIsBegun] = useState(false);
  // What was read for another visit may be of an older revision.
  if (!isBegun && type.isFetchedAfterMount && type.isSuccess) setIsBegun(true);
  // What is typed stays, whatever happens when the type is read again.
  if (!isBegun || !type.data) {
    if (type.error) return <ProblemAlert error={type.error} onRetry={() => type.refetch()} />;
    return <p className={styles.loading}>{texts.loading}</p>;
  }
  const { data, revision } = type.data;
  return <Designer origin={{ id, type: data, revision }} {...tabs} />;
}

/** The designer of a new type, which may begin as a copy of another one. */
export function NewTypePage({ from, ...tabs }: Props & { from: number | undefined }) {
  const { texts } = useLocale();
  const me = useQuery(meQuery).data;
  const source = useQuery({ ...typeQuery(from ?? 0), enabled: from !== undefined });
  if (!me || (from !== undefined && !source.data)) {
    if (source.error) return <ProblemAlert error={source.error} />;
    return <p className={styles.loading}>{texts.loading}</p>;
  }
  const author = me.user.public_id;
  const copied = source.data?.data;
  const type = copied
    ? {
        ...copied,
        author_id: author,
        name: `${copied.name}-copy`,
        label: texts.designer.copyOf(copied.label),
      }
    : emptyType(author, texts.designer.general);
  return <Designer origin={{ id: undefined, type, revision: "" }} {...tabs} />;
}
