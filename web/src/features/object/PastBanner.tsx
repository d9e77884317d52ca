import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Clock } from "lucide-react";
import { useActions } from "~/actions";
import { useNames } from "~/actions/useNames";
import { changeAfterQuery, changeAtQuery, changeBeforeQuery } from "~/api/objectHistory";
import type { Change } from "~/api/records";
import { useLocale } from "~/i18n";
import { dateOfApi, type Moment } from "~/model/moment";
import { Button } from "~/ui/Button";
import styles from "./PastBanner.module.css";

interface Props {
  id: number;
  moment: Moment;
  /** Shows another state; that of now if there is no moment. */
  onMoment: (moment: Moment | undefined) => void;
}

/** Says that the page shows a state of the past, and steps from change to change. */
export function PastBanner({ id, moment, onMoment }: Props) {
  const { texts, number, exactTime } = useLocale();
  const at = useQuery(changeAtQuery(id, moment));
  const change = at.data ?? undefined;
  const revision = "revision" in moment ? moment.revision : (change?.revision ?? 0);
  const isKnown = at.isSuccess;
  const previous = useQuery({ ...changeBeforeQuery(id, revision), enabled: isKnown }).data;
  const next = useQuery({ ...changeAfterQuery(id, revision), enabled: isKnown }).data;
  // A step stays in the form of the address that it began with.
  const stepTo = (to: Change) =>
    onMoment("revision" in moment ? { revision: to.revision } : { asOf: to.at });
  const back = { id: "now", label: texts.timeline.backToNow, run: () => onMoment(undefined) };
  const steps = [
    { id: "previous-change", label: texts.timeline.previous, keys: "[", to: previous },
    { id: "next-change", label: texts.timeline.next, keys: "]", to: next },
  ].map(({ to, ...step }) => ({ ...step, isDisabled: !to, run: () => to && stepTo(to) }));
  useActions([...steps.filter(({ isDisabled }) => !isDisabled), back]);
  const [first, last] = steps;
  return (
    <section className={styles.banner} aria-label={back.label}>
      <Clock size={18} aria-hidden="true" />
      <div className={styles.text} role="status">
        <strong>
          {"revision" in moment
            ? texts.timeline.wasRevision(number(moment.revision))
            : texts.timeline.wasAt(exactTime(dateOfApi(moment.asOf)))}
        </strong>
        {change && <Cause change={change} namesRevision={!("revision" in moment)} />}
      </div>
      <div className={styles.tools}>
        {first && (
          <Button isDisabled={first.isDisabled} onPress={first.run}>
            <ChevronLeft size={14} aria-hidden="true" />
            {first.label}
          </Button>
        )}
        {last && (
          <Button isDisabled={last.isDisabled} onPress={last.run}>
            {last.label}
            <ChevronRight size={14} aria-hidden="true" />
          </Button>
        )}
        <Button variant="primary" onPress={back.run}>
          {back.label}
        </Button>
      </div>
    </section>
  );
}

/** The change that led to the state. */
function Cause({ change, namesRevision }: { change: Change; namesRevision: boolean }) {
  const { texts, number, exactTime } = useLocale();
  const names = useNames([change]);
  const facts = [
    namesRevision && texts.revision(number(change.revision)),
    texts.actions[change.action] ?? change.action,
    names.actor(change.actor),
    exactTime(dateOfApi(change.at)),
    change.comment,
  ];
  return <p>{facts.filter(Boolean).join(" · ")}</p>;
}
