import { Link } from "@tanstack/react-router";
import { ChevronRight, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { Change, FieldDefinition, InventoryObject } from "~/api/records";
import { useLocale } from "~/i18n";
import type { Texts } from "~/i18n/en";
import { Differences, type Side } from "~/kinds/Differences";
import { kindOf } from "~/kinds/registry";
import { beginning } from "~/model/beginning";
import { type FieldDifference, fieldDifferences, isSame } from "~/model/history";
import { dateOfApi } from "~/model/moment";
import { fieldValue } from "~/model/object";
import { Badge } from "~/ui/Badge";
import { Button } from "~/ui/Button";
import styles from "./History.module.css";
import type { Restore } from "./useRestore";

interface Props {
  id: number;
  name: string;
  change: Change;
  actor: string;
  isNewest: boolean;
  /** Whether the page shows the state after this change. */
  isShown: boolean;
  /** The object of now, if the caller may restore an earlier state of it. */
  present: InventoryObject | undefined;
  definitionOf: (name: string) => FieldDefinition | undefined;
  restore: Restore;
  /** Undoes all that the request of the change wrote; missing if the caller may not. */
  onRevert: (() => void) | undefined;
}

/** What a person reads at a glance is shown at once. */
const FEW_DIFFERENCES = 6;

/** One change: who did what when, what it changed, and ways back. */
export function HistoryEntry(props: Props) {
  const { id, name, change, isNewest, present, definitionOf, restore } = props;
  const { texts, number } = useLocale();
  const { revision, action, comment } = change;
  const differences = fieldDifferences(change.changes ?? []);
  const isWhole = action === "insert" || action === "delete";
  const [isOpen, setIsOpen] = useState(!isWhole && differences.length <= FEW_DIFFERENCES);
  const hasState = action !== "delete";
  const toolOf = (difference: FieldDifference, side: Side) =>
    present &&
    !isWhole && (
      <RestoreValue
        difference={difference}
        side={side}
        revision={side === "after" ? revision : revision - 1}
        present={present}
        definitionOf={definitionOf}
        restore={restore}
      />
    );
  return (
    <li className={styles.change} data-shown={props.isShown}>
      <Head {...props} />
      {comment && <p className={styles.comment}>{comment}</p>}
      <div className={styles.tools}>
        {differences.length > 0 && (
          <Button variant="quiet" aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
            <ChevronRight size={14} aria-hidden="true" className={styles.chevron} />
            {whatOf(action, texts)}
          </Button>
        )}
        {hasState && !(isNewest && present) && (
          <Link to="/objects/$id" params={{ id: String(id) }} search={{ revision }}>
            {texts.timeline.show}
          </Link>
        )}
        {hasState && present && !isNewest && (
          <Button
            variant="quiet"
            isPending={restore.isBusy}
            onPress={() =>
              restore.run({ revision, done: texts.timeline.restored(name, number(revision)) })
            }
          >
            {texts.timeline.restore}
          </Button>
        )}
      </div>
      {isOpen && (
        <>
          <Differences differences={differences} definitionOf={definitionOf} toolOf={toolOf} />
          <p className={styles.request}>
            {texts.requestId(change.request_id)}
            {props.onRevert && (
              <Button variant="quiet" onPress={props.onRevert}>
                {texts.timeline.revertRequest}
              </Button>
            )}
          </p>
        </>
      )}
    </li>
  );
}

function whatOf(action: string, texts: Texts) {
  if (action === "delete") return texts.timeline.whatWasLast;
  return action === "insert" ? texts.timeline.whatWas : texts.timeline.whatChanged;
}

function Head({ change, actor, isNewest, isShown, present }: Props) {
  const { texts, exactTime, ago, number } = useLocale();
  const { revision, action, via } = change;
  const at = dateOfApi(change.at);
  const channel = via && via !== "session" ? texts.auditLog.channels[via] : undefined;
  return (
    <div className={styles.head}>
      <p>
        <strong>{texts.revision(number(revision))}</strong> {texts.actions[action] ?? action} ·{" "}
        {actor}
        {channel && channel !== actor && ` · ${channel}`}
        {isNewest && present && (
          <>
            {" "}
            <Badge variant="success">{texts.timeline.current}</Badge>
          </>
        )}
        {isShown && (
          <>
            {" "}
            <Badge variant="warning">{texts.timeline.shown}</Badge>
          </>
        )}
      </p>
      <time className={styles.soft} dateTime={`${change.at}Z`}>
        {ago(at)} · {exactTime(at)}
      </time>
    </div>
  );
}

interface ValueProps {
  difference: FieldDifference;
  side: Side;
  /** A revision in which the field had the value. */
  revision: number;
  present: InventoryObject;
  definitionOf: (name: string) => FieldDefinition | undefined;
  restore: Restore;
}

/** What a label reads out of a value. */
const MOST_LETTERS = 100;

/** Gives a field a value that it had; nothing if it has it now. */
function RestoreValue(props: ValueProps) {
  const { difference, side, revision, present, definitionOf, restore } = props;
  const { texts, number } = useLocale();
  const { name } = difference;
  const definition = name === undefined ? undefined : definitionOf(name);
  const value = difference[side];
  if (!definition || name === undefined || isSame(fieldValue(present, name), value)) return null;
  const label = definition.label || definition.name;
  const whole = kindOf(definition).format(value, definition) || texts.timeline.noValue;
  const text = beginning(whole, MOST_LETTERS);
  const done = texts.timeline.restoredField(label, number(revision));
  return (
    <Button
      variant="quiet"
      aria-label={texts.timeline.restoreValue(label, text)}
      isPending={restore.isBusy}
      onPress={() => restore.run({ revision, fields: [name], done })}
    >
      <RotateCcw size={13} aria-hidden="true" />
      {texts.timeline.restoreShort}
    </Button>
  );
}
