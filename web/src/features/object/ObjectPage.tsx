import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { changeAtQuery, objectAtQuery } from "~/api/objectHistory";
import { problemOf } from "~/api/problem";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { type Moment, momentOf, type ObjectSearch } from "~/model/moment";
import type { ObjectTab } from "~/model/object";
import { type InventoryRecord, recordOf } from "~/model/record";
import { may } from "~/model/rights";
import { ProblemAlert } from "~/ui/Alert";
import { Tabs } from "~/ui/Tabs";
import { ApiTab } from "./ApiTab";
import { DeletedObject } from "./DeletedObject";
import { Graph } from "./Graph";
import { Header } from "./Header";
import { History } from "./History";
import styles from "./ObjectPage.module.css";
import { Overview } from "./Overview";
import { PastBanner } from "./PastBanner";
import { References } from "./References";

interface Props {
  id: number;
  search: ObjectSearch;
  onSearch: (search: ObjectSearch) => void;
}

/** One object, now or at a moment of the past: its fields, its references, and its history. */
export function ObjectPage({ id, search, onSearch }: Props) {
  const { texts } = useLocale();
  const moment = useMemo(() => momentOf(search), [search]);
  const object = useQuery(objectAtQuery(id, moment));
  const record = useMemo(() => object.data && recordOf(object.data), [object.data]);
  // Another state is shown from its beginning.
  const show = (chosen: Moment | undefined) => {
    if (chosen === undefined) onSearch(search.tab ? { tab: search.tab } : {});
    else onSearch("revision" in chosen ? chosen : { as_of: chosen.asOf });
  };
  const retry = () => void object.refetch();
  const isMissing = object.error !== null && problemOf(object.error).status === 404;
  if (isMissing && !moment) {
    return <DeletedObject id={id} error={object.error} onRetry={retry} onMoment={show} />;
  }
  return (
    <article className={styles.page}>
      {moment && <PastBanner id={id} moment={moment} onMoment={show} />}
      {isMissing && <p>{texts.timeline.notThen}</p>}
      {object.error && !isMissing && <ProblemAlert error={object.error} onRetry={retry} />}
      {object.isPending && <p className={styles.soft}>{texts.loading}</p>}
      {record && (
        <>
          <Header record={record} isPast={moment !== undefined} />
          <Parts
            record={record}
            moment={moment}
            tab={search.tab ?? "overview"}
            onTab={(tab) => onSearch({ ...search, tab })}
            onMoment={show}
          />
        </>
      )}
    </article>
  );
}

interface PartsProps {
  record: InventoryRecord;
  moment: Moment | undefined;
  tab: ObjectTab;
  onTab: (tab: ObjectTab) => void;
  onMoment: (moment: Moment) => void;
}

/** These have no past. */
const ONLY_NOW: readonly ObjectTab[] = ["graph", "api"];

function Parts({ record, moment, tab, onTab, onMoment }: PartsProps) {
  const { texts } = useLocale();
  const me = useQuery(meQuery).data;
  const asOf = useAsOf(record.id, moment);
  const { id } = record;
  const tabs: { id: ObjectTab; label: string }[] = [
    { id: "overview", label: texts.overview },
    { id: "references", label: texts.references },
    { id: "graph", label: texts.object.graph },
    { id: "history", label: texts.history },
    { id: "api", label: texts.object.api },
  ];
  const maySeeHistory = may(me, "base.framework.log.view");
  const offered = tabs
    .filter((tab) => tab.id !== "history" || maySeeHistory)
    .filter((tab) => !moment || !ONLY_NOW.includes(tab.id));
  const selected = offered.some((offer) => offer.id === tab) ? tab : "overview";
  return (
    <Tabs label={record.summary} tabs={offered} selected={selected} onSelect={onTab}>
      {selected === "overview" && <Overview record={record} isPast={moment !== undefined} />}
      {selected === "references" && (!moment || asOf) && <References record={record} asOf={asOf} />}
      {selected === "graph" && <Graph record={record} />}
      {selected === "api" && <ApiTab id={id} />}
      {selected === "history" && (
        <History
          id={id}
          name={record.summary}
          type={record.type.id}
          moment={moment}
          onMoment={onMoment}
          definitionOf={(name) => record.fields.get(name)?.definition}
        />
      )}
    </Tabs>
  );
}

/** The time of a moment, as soon as it is known. */
function useAsOf(id: number, moment: Moment | undefined): string | undefined {
  const query = changeAtQuery(id, moment ?? { revision: 0 });
  const isRevision = moment !== undefined && "revision" in moment;
  const change = useQuery({ ...query, enabled: isRevision }).data;
  return moment && "asOf" in moment ? moment.asOf : change?.at;
}
