import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import { differencesQuery } from "~/api/history";
import type { Change, ObjectType } from "~/api/records";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { nameBefore } from "~/model/deleted";
import { dateOfApi } from "~/model/moment";
import { Button } from "~/ui/Button";
import { TypeIcon } from "~/ui/TypeIcon";
import styles from "./DeletedPage.module.css";
import { useRestore } from "./useRestore";

interface Props {
  deletion: Change;
  /** Nothing if the type is gone, too. */
  type: ObjectType | undefined;
  /** Who deleted the object. */
  actor: string;
}

/** A deleted object: what it was, who deleted it when, and a button that brings it back. */
export function DeletedRow({ deletion, type, actor }: Props) {
  const { texts, time } = useLocale();
  const { public_id, revision, at } = deletion;
  const id = public_id ?? 0;
  const me = useQuery(meQuery).data;
  const changes = useQuery(differencesQuery(deletion)).data;
  const restore = useRestore(id, true);
  const name = nameBefore(deletion, changes, type);
  const mayRestore = type !== undefined && me?.types.create.includes(type.public_id);
  // The deletion is a change, too: the one before it led to what was.
  const wish = { revision: revision - 1, done: texts.timeline.broughtBack(name) };
  return (
    <li className={styles.row}>
      <TypeIcon name={type?.render_meta.icon ?? null} />
      <div className={styles.text}>
        <Link to="/objects/$id" params={{ id: String(id) }} className={styles.name}>
          {name}
        </Link>
        <p className={styles.soft}>
          {type?.label ?? texts.type} · {actor} ·{" "}
          <time dateTime={`${at}Z`}>{time(dateOfApi(at))}</time>
        </p>
      </div>
      {mayRestore && (
        <Button
          aria-label={texts.timeline.restoreNamed(name)}
          isPending={restore.isBusy}
          onPress={() => restore.run(wish)}
        >
          <Undo2 size={14} aria-hidden="true" />
          {texts.timeline.restoreShort}
        </Button>
      )}
    </li>
  );
}
