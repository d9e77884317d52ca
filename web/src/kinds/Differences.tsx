import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { namedQuery } from "~/api/objectNames";
import type { FieldDefinition } from "~/api/records";
import { useLocale } from "~/i18n";
import { beginning } from "~/model/beginning";
import type { FieldDifference } from "~/model/history";
import { Button } from "~/ui/Button";
import styles from "./Differences.module.css";
import { FieldValue } from "./FieldValue";
import type { ViewProps } from "./kind";
import { kindOf } from "./registry";

interface Props {
  differences: readonly FieldDifference[];
  /** The definition of a field, as far as the type has it. */
  definitionOf: (name: string) => FieldDefinition | undefined;
  /** What can be done with one of the values. */
  toolOf?: (difference: FieldDifference, side: Side) => ReactNode;
}

export type Side = "before" | "after";

/** What a change made of what, line by line. */
export function Differences({ differences, definitionOf, toolOf }: Props) {
  const { texts } = useLocale();
  const referred = differences.flatMap(({ name, before, after }) => {
    const field = name === undefined ? undefined : definitionOf(name);
    const targets = field && kindOf(field).targets;
    return targets ? [before, after].flatMap(targets) : [];
  });
  const names = useQuery(namedQuery([...new Set(referred.map(String))])).data;
  /** What a value points to, if it is a reference; what is gone or hidden has no name. */
  const targetOf = (field: FieldDefinition, value: unknown) => {
    const [id] = kindOf(field).targets?.(value) ?? [];
    return id === undefined ? undefined : { id, summary: names?.get(id) ?? "" };
  };
  return (
    <ul className={styles.differences}>
      {differences.map((difference) => {
        const { path, name, before, after } = difference;
        const field = name === undefined ? undefined : definitionOf(name);
        const definition = field ?? { type: "text", name: path, label: name ?? path };
        return (
          <li key={path} className={styles.difference}>
            <span className={styles.label}>{definition.label || definition.name}</span>
            <span className={styles.side}>
              <del>
                <span className="visually-hidden">{texts.before} </span>
                <Value field={definition} value={before} target={targetOf(definition, before)} />
              </del>
              {toolOf?.(difference, "before")}
            </span>
            <span className={styles.side}>
              <ins>
                <span className="visually-hidden">{texts.after} </span>
                <Value field={definition} value={after} target={targetOf(definition, after)} />
              </ins>
              {toolOf?.(difference, "after")}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** A history has many texts, and each may be a megabyte. */
const MOST_LETTERS = 2_000;

function Value({ field, value, target }: ViewProps) {
  const { texts, number } = useLocale();
  const [isWhole, setIsWhole] = useState(false);
  const isCut = !isWhole && typeof value === "string" && value.length > MOST_LETTERS;
  if (!isCut) return <FieldValue field={field} value={value} target={target} />;
  return (
    <>
      <FieldValue field={field} value={beginning(value, MOST_LETTERS)} target={target} />
      {!kindOf(field).isSecret && (
        <Button variant="quiet" onPress={() => setIsWhole(true)}>
          {texts.showWholeText(number(value.length))}
        </Button>
      )}
    </>
  );
}
