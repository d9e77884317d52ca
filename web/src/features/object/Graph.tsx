import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { neighboursQuery } from "~/api/objects";
import { typesQuery } from "~/api/objectTypes";
import type { ObjectType } from "~/api/records";
import { referencesQuery } from "~/api/references";
import { useLocale } from "~/i18n";
import {
  expand,
  type Graph as GraphData,
  graphOf,
  layout,
  type Neighbour,
  NODE,
} from "~/model/graph";
import { fieldsOf, summaryOf } from "~/model/object";
import type { InventoryRecord } from "~/model/record";
import { textOf } from "~/model/textOf";
import { Button } from "~/ui/Button";
import { toastFailure } from "~/ui/Toasts";
import { TypeIcon } from "~/ui/TypeIcon";
import styles from "./Graph.module.css";

/** The object, what refers to it, and what it refers to; each can be expanded further. */
export function Graph({ record }: { record: InventoryRecord }) {
  const { texts, number } = useLocale();
  const types = useQuery(typesQuery).data;
  const load = useNeighbours(types ?? []);
  const [graph, setGraph] = useState(() =>
    graphOf({ id: record.id, label: record.summary, type: record.type.id }),
  );
  const open = async (id: number) => {
    try {
      const { incoming, outgoing } = await load(id);
      setGraph((before) => expand(before, id, incoming, outgoing));
    } catch (error) {
      toastFailure(error);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first object opens by itself, once
  useEffect(() => {
    if (types) void open(record.id);
  }, [record.id, types]);
  const scroller = useRef<HTMLDivElement>(null);
  const isOpen = graph.nodes.length > 1;
  // On a phone the object itself would be beyond the edge.
  useEffect(() => {
    const centre = isOpen && scroller.current?.querySelector("[data-centre=true]");
    if (centre) centre.scrollIntoView({ block: "nearest", inline: "center" });
  }, [isOpen]);
  return (
    <div className={styles.graph}>
      <p className={styles.soft}>
        {texts.object.graphHint}
        {graph.hidden > 0 && ` ${texts.object.graphHidden(number(graph.hidden))}`}
      </p>
      <div ref={scroller} className={styles.scroller}>
        <Drawing graph={graph} types={types ?? []} centre={record.id} onOpen={open} />
      </div>
    </div>
  );
}

interface DrawingProps {
  graph: GraphData;
  types: readonly ObjectType[];
  centre: number;
  onOpen: (id: number) => void;
}

function Drawing({ graph, types, centre, onOpen }: DrawingProps) {
  const { texts } = useLocale();
  const { places, width, height } = layout(graph);
  return (
    <div className={styles.drawing} style={{ width, height }}>
      <svg width={width} height={height} aria-hidden="true">
        {graph.edges.map(({ from, to, label }) => {
          const start = places.get(from);
          const end = places.get(to);
          if (!start || !end) return null;
          return (
            <path key={`${from}-${to}-${label}`} d={curve(start, end)} className={styles.edge} />
          );
        })}
      </svg>
      <ul aria-label={texts.object.graph}>
        {graph.nodes.map(({ id, label, type, isExpanded }) => {
          const place = places.get(id) ?? { x: 0, y: 0 };
          const definition = types.find(({ public_id }) => public_id === type);
          const fields = graph.edges
            .filter(({ from, to }) => from === id || to === id)
            .map((edge) => edge.label);
          return (
            <li
              key={id}
              className={styles.node}
              data-centre={id === centre}
              title={`${definition?.label ?? ""} · ${[...new Set(fields)].join(", ")}`}
              style={{ left: place.x, top: place.y, width: NODE.width, height: NODE.height }}
            >
              <TypeIcon name={definition?.render_meta.icon ?? null} />
              <Link to="/objects/$id" params={{ id: String(id) }} className={styles.label}>
                {label}
              </Link>
              {!isExpanded && (
                <Button
                  variant="quiet"
                  aria-label={texts.object.expand(label)}
                  onPress={() => onOpen(id)}
                >
                  <Plus size={13} aria-hidden="true" />
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function curve(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const isForward = from.x < to.x;
  const start = { x: from.x + (isForward ? NODE.width : 0), y: from.y + NODE.height / 2 };
  const end = { x: to.x + (isForward ? 0 : NODE.width), y: to.y + NODE.height / 2 };
  const middle = (start.x + end.x) / 2;
  return `M${start.x},${start.y} C${middle},${start.y} ${middle},${end.y} ${end.x},${end.y}`;
}

/** Reads what refers to an object, and what it refers to. */
function useNeighbours(types: readonly ObjectType[]) {
  const queries = useQueryClient();
  const typeOf = (id: number) => types.find((type) => type.public_id === id);
  return async (id: number) => {
    const [{ object, titles }, references] = await Promise.all([
      queries.fetchQuery(neighboursQuery(id)),
      queries.fetchQuery(referencesQuery(id)),
    ]);
    const fields = fieldsOf(typeOf(object.type_id));
    const outgoing = object.fields.flatMap(({ name, value }): Neighbour[] => {
      const field = fields.find((field) => field.name === name);
      const target = field && isReference(value) ? titles[textOf(value)] : undefined;
      if (!target) return [];
      const label = target.summary || `#${textOf(value)}`;
      return [{ id: Number(value), label, type: target.type_id, field: field?.label || name }];
    });
    const incoming = references.results.map((referrer): Neighbour => {
      const type = typeOf(referrer.type_id);
      const name = referrer.fields.find(({ value }) => textOf(value) === String(id))?.name ?? "";
      const field = fieldsOf(type).find((field) => field.name === name);
      const label = summaryOf(referrer, type) || `#${referrer.public_id}`;
      return { id: referrer.public_id, label, type: referrer.type_id, field: field?.label || name };
    });
    return { incoming, outgoing };
  };
}

function isReference(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value));
}
