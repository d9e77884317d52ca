import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useLocale } from "~/i18n";
import { grantOf, type RightNode } from "~/model/groupRights";
import { Badge } from "~/ui/Badge";
import { Button } from "~/ui/Button";
import { Checkbox } from "~/ui/Checkbox";
import styles from "./groups.module.css";

interface Props {
  nodes: readonly RightNode[];
  /** A filter opens everything that it leaves. */
  isFiltered: boolean;
  granted: ReadonlySet<string>;
  /** Nobody grants rights that they lack. */
  grantable: ReadonlySet<string>;
  levels: ReadonlyMap<number, string>;
  isReadOnly: boolean;
  onChange: (name: string, isGranted: boolean) => void;
}

/** Rights below their masters, each with a checkbox of three states. */
export function RightsTree(props: Props) {
  return (
    <ul className={styles.tree}>
      {props.nodes.map((node) => (
        <Node key={node.right.name} {...props} node={node} />
      ))}
    </ul>
  );
}

function Node({ node, ...props }: Props & { node: RightNode }) {
  const { texts } = useLocale();
  const state = grantOf(node, props.granted);
  const { name, description } = node.right;
  // The root is open, and whatever has something of its own to show.
  const [isOpen, setIsOpen] = useState(name === "base.*" || state === "some");
  const opens = isOpen || props.isFiltered;
  const isGranted = state === "own" || state === "covered";
  const isLacking = !isGranted && !props.grantable.has(name);
  return (
    <li>
      <div className={styles.right}>
        {node.children.length > 0 ? (
          <Button
            variant="quiet"
            aria-label={texts.groups.expand(name)}
            aria-expanded={opens}
            isDisabled={props.isFiltered}
            onPress={() => setIsOpen(!isOpen)}
          >
            <ChevronRight size={14} aria-hidden="true" className={styles.chevron} />
          </Button>
        ) : (
          <span className={styles.indent} />
        )}
        <Checkbox
          label={name}
          isSelected={isGranted}
          isIndeterminate={state === "some"}
          isReadOnly={props.isReadOnly}
          isDisabled={isLacking}
          onChange={() => props.onChange(name, !isGranted)}
        />
        <span className={styles.about}>
          {description}
          {state === "covered" && ` · ${texts.groups.covered}`}
          {isLacking && !props.isReadOnly && ` · ${texts.groups.lacking}`}
        </span>
        <Level level={props.levels.get(node.right.level)} />
      </div>
      {opens && node.children.length > 0 && <RightsTree {...props} nodes={node.children} />}
    </li>
  );
}

/** Only levels that need care stand out. */
function Level({ level }: { level: string | undefined }) {
  const { texts } = useLocale();
  if (level !== "CRITICAL" && level !== "DANGER") return null;
  return <Badge variant="danger">{texts.groups.levels[level] ?? level}</Badge>;
}
