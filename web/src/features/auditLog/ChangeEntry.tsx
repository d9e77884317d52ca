import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useRights } from "~/actions/rights";
import type { Names } from "~/actions/useNames";
import type { Goal } from "~/api/history";
import type { Change } from "~/api/records";
import { useLocale } from "~/i18n";
import { mayRestore } from "~/model/auditLog";
import { Button } from "~/ui/Button";
import styles from "./auditLog.module.css";
import { ChangeDetails } from "./ChangeDetails";

interface Props {
  change: Change;
  names: Names;
  onGoBack: (goal: Goal) => void;
  /** Shows all changes of a request. */
  onRequest: (request: string) => void;
}

/** One change: who did what when, and ways back. */
export function ChangeEntry({ change, names, onGoBack, onRequest }: Props) {
  const { texts, time, number } = useLocale();
  const rights = useRights();
  const [isOpen, setIsOpen] = useState(false);
  const { action, resource, via, comment, request_id: request, revision } = change;
  const facts = [
    names.actor(change.actor),
    via && via !== "session" && texts.auditLog.channels[via],
    texts.revision(number(revision)),
  ];
  // The group of a deletion is gone for ever.
  const isLost = resource === "group" && action === "delete";
  return (
    <li className={styles.change}>
      <div className={styles.head}>
        <p className={styles.what}>
          <RecordLink change={change} name={names.record(change)} />{" "}
          {texts.actions[action] ?? action}
        </p>
        <time className={styles.soft} dateTime={`${change.at}Z`}>
          {time(new Date(`${change.at}Z`))}
        </time>
      </div>
      <div className={styles.head}>
        <p className={styles.soft}>
          {facts.filter(Boolean).join(" · ")} ·{" "}
          <Button variant="quiet" onPress={() => onRequest(request)}>
            {texts.auditLog.request(request)}
          </Button>
        </p>
        <div className={styles.tools}>
          <Button variant="quiet" aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
            <ChevronRight size={14} aria-hidden="true" className={styles.chevron} />
            {texts.auditLog.showChanges}
          </Button>
          {mayRestore(resource, rights) && !isLost && (
            <>
              <Button variant="quiet" onPress={() => onGoBack({ change })}>
                {action === "delete" ? texts.auditLog.bringBack : texts.auditLog.restore}
              </Button>
              <Button variant="quiet" onPress={() => onGoBack({ request })}>
                {texts.auditLog.revert}
              </Button>
            </>
          )}
        </div>
      </div>
      {comment && <p className={styles.comment}>{comment}</p>}
      {isOpen && <ChangeDetails change={change} />}
    </li>
  );
}

/** The record's own page, if it has one. */
function RecordLink({ change, name }: { change: Change; name: string }) {
  const id = String(change.public_id ?? change.user_id ?? "");
  switch (change.resource) {
    case "object":
      return (
        <Link to="/objects/$id" params={{ id }}>
          {name}
        </Link>
      );
    case "user":
      return (
        <Link to="/admin/users/$id" params={{ id }}>
          {name}
        </Link>
      );
    case "group":
      return (
        <Link to="/admin/groups/$id" params={{ id }}>
          {name}
        </Link>
      );
    case "type":
      return (
        <Link to="/objects" search={{ type: Number(id) }}>
          {name}
        </Link>
      );
    default:
      return <strong>{name}</strong>;
  }
}
