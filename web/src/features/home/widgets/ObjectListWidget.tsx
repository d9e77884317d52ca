import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ObjectListQuery, objectsQuery } from "~/api/objects";
import { typesQuery } from "~/api/objectTypes";
import type { InventoryObject, SavedView } from "~/api/records";
import { viewsQuery } from "~/api/views";
import { useLocale } from "~/i18n";
import { FieldValue } from "~/kinds/FieldValue";
import { expiringFilter, type Widget } from "~/model/dashboard";
import { filterOf } from "~/model/filter";
import { dateOf, fieldsOf, fieldValue, summaryOf } from "~/model/object";
import { searchOf, viewOf } from "~/model/view";
import { TypeIcon } from "~/ui/TypeIcon";
import styles from "../Dashboard.module.css";
import { Card } from "./Card";

const SHOWN = 8;

type ListWidget = Extract<Widget, { kind: "recent" | "view" | "expiring" }>;

/** A few objects: those that changed last, of a saved view, or whose date comes near. */
export function ObjectListWidget({ widget }: { widget: ListWidget }) {
  const { texts } = useLocale();
  const views = useQuery(viewsQuery).data;
  const view =
    widget.kind === "view" ? views?.find(({ public_id }) => public_id === widget.view) : undefined;
  const query = listOf(widget, view);
  const list = useQuery({
    ...objectsQuery(query ?? { limit: 1, page: 1 }),
    enabled: query !== undefined,
  });
  const title = useTitle(widget, view);
  if (title === undefined) {
    return <Card title={texts.dashboard.gone}>{texts.dashboard.goneHint}</Card>;
  }
  return (
    <Card
      title={
        view ? (
          <Link to="/objects" search={searchOf(view)}>
            {title}
          </Link>
        ) : (
          title
        )
      }
      error={list.error}
      isLoading={!list.data}
    >
      {list.data?.total === 0 && <p className={styles.soft}>{texts.dashboard.none}</p>}
      <ul className={styles.objects}>
        {list.data?.results.map((object) => (
          <ObjectLine
            key={object.public_id}
            object={object}
            date={widget.kind === "expiring" ? widget.field : undefined}
          />
        ))}
      </ul>
    </Card>
  );
}

/** Nothing if the view is gone. */
function listOf(widget: ListWidget, saved: SavedView | undefined): ObjectListQuery | undefined {
  const page = { limit: SHOWN, page: 1 };
  if (widget.kind === "recent") return { ...page, sort: "last_edit_time", order: -1 };
  if (widget.kind === "expiring") {
    const filter = expiringFilter(widget.type, widget.field, widget.days, new Date());
    return { ...page, filter, sort: `fields.${widget.field}` };
  }
  if (!saved) return undefined;
  const view = viewOf(searchOf(saved));
  const filter = filterOf(view);
  return {
    ...page,
    ...(filter === undefined ? {} : { filter }),
    ...(view.sort ? { sort: view.sort.path, order: view.sort.descending ? -1 : 1 } : {}),
  };
}

function useTitle(widget: ListWidget, view: SavedView | undefined): string | undefined {
  const { texts } = useLocale();
  const types = useQuery(typesQuery).data;
  if (widget.kind === "recent") return texts.recentlyChanged;
  if (widget.kind === "view") return view?.name;
  const type = types?.find(({ public_id }) => public_id === widget.type);
  const field = fieldsOf(type).find(({ name }) => name === widget.field);
  if (!type || !field) return undefined;
  return texts.dashboard.expiringTitle(type.label || type.name, field.label, widget.days);
}

function ObjectLine({ object, date }: { object: InventoryObject; date: string | undefined }) {
  const { time } = useLocale();
  const type = useQuery(typesQuery).data?.find(({ public_id }) => public_id === object.type_id);
  const field = fieldsOf(type).find(({ name }) => name === date);
  const changed = dateOf(object.last_edit_time) ?? dateOf(object.creation_time);
  return (
    <li>
      <Link to="/objects/$id" params={{ id: String(object.public_id) }} className={styles.object}>
        <TypeIcon name={type?.render_meta.icon ?? null} />
        <span className={styles.name}>{summaryOf(object, type) || `#${object.public_id}`}</span>
        <span className={styles.soft}>
          {field ? (
            <FieldValue field={field} value={fieldValue(object, field.name)} />
          ) : (
            changed && time(changed)
          )}
        </span>
      </Link>
    </li>
  );
}
