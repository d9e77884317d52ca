import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useNames } from "~/actions/useNames";
import { objectAtQuery, objectHistoryQuery } from "~/api/objectHistory";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import type { Moment } from "~/model/moment";
import { dateOfApi } from "~/model/moment";
import { recordOf } from "~/model/record";
import { may } from "~/model/rights";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Page } from "~/ui/Page";
import { History } from "./History";
import styles from "./ObjectPage.module.css";
import { useRestore } from "./useRestore";

interface Props {
  id: number;
  /** Why there is no object. */
  error: unknown;
  onRetry: () => void;
  onMoment: (moment: Moment) => void;
}

/** The history of an object that was deleted, and the way to bring it back. */
export function DeletedObject({ id, error, onRetry, onMoment }: Props) {
  const { texts, exactTime } = useLocale();
  const me = useQuery(meQuery).data;
  const maySee = may(me, "base.framework.log.view");
  const history = useInfiniteQuery({ ...objectHistoryQuery(id), enabled: maySee });
  const [deletion, last] = history.data?.pages[0]?.results ?? [];
  const revision = last?.revision ?? (deletion?.revision ?? 0) - 1;
  const past = useQuery({ ...objectAtQuery(id, { revision }), enabled: revision > 0 });
  const names = useNames(deletion ? [deletion] : []);
  const restore = useRestore(id, true);
  if (!me || (maySee && history.isPending) || (revision > 0 && past.isPending))
    return <p className={styles.loading}>{texts.loading}</p>;
  if (deletion?.action !== "delete") return <ProblemAlert error={error} onRetry={onRetry} />;
  // The type may be gone, too.
  const record = past.data && recordOf(past.data);
  const name = record?.summary ?? `#${id}`;
  const type = deletion.type_id ?? 0;
  return (
    <Page
      title={texts.timeline.deletedTitle(name)}
      hint={`${texts.timeline.deletedBy(names.actor(deletion.actor), exactTime(dateOfApi(deletion.at)))} ${texts.timeline.deletedHint}`}
      actions={
        me.types.create.includes(type) &&
        revision > 0 && (
          <Button
            variant="primary"
            isPending={restore.isBusy}
            onPress={() => restore.run({ revision, done: texts.timeline.broughtBack(name) })}
          >
            <Undo2 size={14} aria-hidden="true" />
            {texts.timeline.restoreObject}
          </Button>
        )
      }
    >
      <History
        id={id}
        name={name}
        type={type}
        isDeleted
        moment={undefined}
        onMoment={onMoment}
        definitionOf={(field) => record?.fields.get(field)?.definition}
      />
    </Page>
  );
}
