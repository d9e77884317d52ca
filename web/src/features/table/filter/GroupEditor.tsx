import { Copy, Plus, X } from "lucide-react";
import { useLocale } from "~/i18n";
import {
  added,
  duplicated,
  type Group,
  MATCHES,
  MOST_DEPTH,
  NO_FILTER,
  type Part,
  replaced,
  withGroup,
} from "~/model/filter/tree";
import { Button } from "~/ui/Button";
import { Select } from "~/ui/Select";
import type { Column } from "../columns";
import { ConditionFields, firstCondition } from "./ConditionFields";
import styles from "./FilterDialog.module.css";

interface Context {
  root: Group;
  columns: readonly Column[];
  among: string | undefined;
  /** The part that was added last gets the focus. */
  fresh: number | undefined;
  onChange: (root: Group) => void;
  /** Adds a part to a group, and leads the focus to it. */
  onAdd: (root: Group) => void;
}

interface Props {
  group: Group;
  depth: number;
  context: Context;
}

/** A group: which of its parts must hold, the parts, and ways to add some. */
export function GroupEditor({ group, depth, context }: Props) {
  const { texts } = useLocale();
  const { root, columns, onChange, onAdd } = context;
  const { filter } = texts;
  const column = columns.find(({ field }) => field) ?? columns[0];
  const condition = (): Part => ({ id: 0, what: "condition", condition: firstCondition(column) });
  return (
    <div role="group" aria-label={filter.matches[group.match]} className={styles.group}>
      <div className={styles.match}>
        <Select
          label={filter.match}
          hidesLabel
          options={MATCHES.map((id) => ({ id, label: filter.matches[id] }))}
          value={group.match}
          onChange={(match) => onChange(withGroup(root, group.id, (one) => ({ ...one, match })))}
        />
      </div>
      {group.parts.length === 0 && <p className={styles.hint}>{filter.empty}</p>}
      {group.parts.length > 0 && (
        <ul className={styles.parts}>
          {group.parts.map((part, index) => (
            <li key={part.id} className={styles.part} data-what={part.what}>
              <PartEditor part={part} depth={depth} context={context} />
              <PartTools part={part} number={index + 1} group={group} context={context} />
            </li>
          ))}
        </ul>
      )}
      <div className={styles.add}>
        <Button
          id={addId(group)}
          variant="quiet"
          onPress={() => onAdd(added(root, group.id, condition()))}
        >
          <Plus size={14} aria-hidden="true" />
          {filter.addCondition}
        </Button>
        {depth < MOST_DEPTH && (
          <Button
            variant="quiet"
            onPress={() => {
              const match = group.match === "any" ? "all" : "any";
              onAdd(added(root, group.id, { ...NO_FILTER, match, parts: [condition()] }));
            }}
          >
            <Plus size={14} aria-hidden="true" />
            {filter.addGroup}
          </Button>
        )}
      </div>
    </div>
  );
}

function PartEditor({ part, depth, context }: { part: Part; depth: number; context: Context }) {
  const { texts } = useLocale();
  const { root, columns, among, fresh, onChange } = context;
  switch (part.what) {
    case "group":
      return <GroupEditor group={part} depth={depth + 1} context={context} />;
    case "raw":
      return (
        <div className={styles.raw}>
          <p>{texts.filter.raw}</p>
          <code>{part.json}</code>
        </div>
      );
    case "condition":
      return (
        <div className={styles.condition}>
          <ConditionFields
            condition={part.condition}
            columns={columns}
            among={among}
            hidesLabels
            autoFocus={part.id === fresh}
            onChange={(condition) =>
              onChange(replaced(root, part.id, (one) => [{ ...one, what: "condition", condition }]))
            }
          />
        </div>
      );
  }
}

interface ToolsProps {
  part: Part;
  number: number;
  group: Group;
  context: Context;
}

function PartTools({ part, number, group, context }: ToolsProps) {
  const { texts } = useLocale();
  const { root, onChange, onAdd } = context;
  const name = texts.filter.part(number);
  const remove = () => {
    // The focus must not be lost with the button.
    document.getElementById(addId(group))?.focus();
    onChange(replaced(root, part.id, () => []));
  };
  return (
    <span className={styles.tools}>
      <Button
        variant="quiet"
        aria-label={texts.filter.duplicate(name)}
        onPress={() => onAdd(duplicated(root, part.id))}
      >
        <Copy size={14} aria-hidden="true" />
      </Button>
      <Button variant="quiet" aria-label={texts.filter.remove(name)} onPress={remove}>
        <X size={14} aria-hidden="true" />
      </Button>
    </span>
  );
}

function addId({ id }: Group): string {
  return `filter-add-${id}`;
}
