import type { ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { FieldValue } from "~/kinds/FieldValue";
import { beginning } from "~/model/beginning";
import { summaryOf } from "~/model/object";
import { type Row, targetOf } from "~/model/row";
import { ObjectLink } from "~/ui/ObjectLink";
import { TypeIcon } from "~/ui/TypeIcon";
import type { Column } from "../columns";
import styles from "./Grid.module.css";

interface Props {
  row: Row;
  column: Column;
  /** The type of the object. */
  type: ObjectType | undefined;
  /** A value that is on its way to the server, or that it refused. */
  shown: { value: unknown } | undefined;
}

export function CellView({ row, column, type, shown }: Props) {
  if (!column.field) return <Fact row={row} type={type} path={column.path} />;
  const value = shown ? shown.value : row.values.get(column.field.name);
  return (
    <FieldValue
      field={column.field}
      value={typeof value === "string" ? beginning(value, MOST_LETTERS) : value}
      target={targetOf(value, row.titles)}
    />
  );
}

/** No cell shows more letters; the browser would lay them out for nothing. */
const MOST_LETTERS = 400;

/** What every object has, besides its fields. */
function Fact({ row, type, path }: Pick<Props, "row" | "type"> & { path: string }) {
  const { texts, time } = useLocale();
  switch (path) {
    case "public_id":
      return (
        <ObjectLink id={row.id} tabIndex={-1}>
          {row.id}
        </ObjectLink>
      );
    case "type_id":
      return (
        <span className={styles.type}>
          <TypeIcon name={type?.render_meta.icon ?? null} />
          {type?.label ?? `#${row.type}`}
        </span>
      );
    case "last_edit_time":
      return <span>{row.changed ? time(row.changed) : texts.none}</span>;
    default:
      return (
        <ObjectLink id={row.id} tabIndex={-1}>
          {summaryOf(row.object, type, row.titles) || `#${row.id}`}
        </ObjectLink>
      );
  }
}
