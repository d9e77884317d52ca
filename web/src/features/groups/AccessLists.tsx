import { useQuery } from "@tanstack/react-query";
import { Check, Minus } from "lucide-react";
import { typesQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import { Panel } from "~/ui/Page";
import { Table } from "~/ui/Table";
import styles from "./groups.module.css";

const GRANTS = ["CREATE", "READ", "UPDATE", "DELETE"] as const;

/** What the access lists of types grant a group. */
export function AccessLists({ group }: { group: number }) {
  const { texts } = useLocale();
  const types = useQuery(typesQuery).data;
  const restricted = types?.filter((type) => type.acl.activated) ?? [];
  const rows = restricted.map((type) => {
    const granted: readonly string[] = type.acl.groups.includes?.[String(group)] ?? [];
    return {
      key: type.public_id,
      cells: [
        type.label || type.name,
        ...GRANTS.map((name) => <Granted key={name} isGranted={granted.includes(name)} />),
      ],
    };
  });
  const columns = [texts.type, ...GRANTS.map((name) => texts.groups.grants[name] ?? name)];
  return (
    <Panel title={texts.groups.access}>
      {types && rows.length === 0 && <p className={styles.soft}>{texts.groups.noAccess}</p>}
      {rows.length > 0 && (
        <>
          <p className={styles.soft}>{texts.groups.accessHint}</p>
          <Table label={texts.groups.access} columns={columns} rows={rows} />
        </>
      )}
    </Panel>
  );
}

function Granted({ isGranted }: { isGranted: boolean }) {
  const { texts } = useLocale();
  const Icon = isGranted ? Check : Minus;
  return (
    <span className={isGranted ? styles.allowed : styles.soft}>
      <Icon size={15} aria-hidden="true" />
      <span className="visually-hidden">
        {isGranted ? texts.groups.allowed : texts.groups.denied}
      </span>
    </span>
  );
}
