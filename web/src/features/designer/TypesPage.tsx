import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { PackageOpen, Plus, Upload } from "lucide-react";
import { useState } from "react";
import { useActions } from "~/actions";
import { countsQuery } from "~/api/aggregates";
import { typesQuery } from "~/api/objectTypes";
import type { ObjectType } from "~/api/records";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { may } from "~/model/rights";
import { PackList } from "~/packs/PackList";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { TextField } from "~/ui/TextField";
import { TypeIcon } from "~/ui/TypeIcon";
import { ImportDialog } from "./ImportDialog";
import styles from "./TypesPage.module.css";

export type TypesDialog = "import" | "packs";

interface Props {
  dialog: TypesDialog | undefined;
  onDialog: (dialog: TypesDialog | undefined) => void;
}

/** All types, and the ways to get more. */
export function TypesPage({ dialog, onDialog }: Props) {
  const { texts } = useLocale();
  const navigate = useNavigate();
  const types = useQuery(typesQuery);
  const mayAdd = may(useQuery(meQuery).data, "base.framework.type.add");
  const [text, setText] = useState("");
  const create = () => navigate({ to: "/types/new" });
  const begin = [
    { id: "new", label: texts.designer.newType, keys: "n", run: create },
    { id: "import", label: texts.designer.importTypes, run: () => onDialog("import") },
    { id: "packs", label: texts.designer.starterPacks, run: () => onDialog("packs") },
  ];
  useActions(mayAdd ? begin : []);
  const wanted = text.trim().toLowerCase();
  const shown = types.data?.filter((type) =>
    `${type.label} ${type.name}`.toLowerCase().includes(wanted),
  );
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>{texts.types}</h1>
        {mayAdd && (
          <div className={styles.actions}>
            <Button onPress={() => onDialog("packs")}>
              <PackageOpen size={14} aria-hidden="true" />
              {texts.designer.starterPacks}
            </Button>
            <Button onPress={() => onDialog("import")}>
              <Upload size={14} aria-hidden="true" />
              {texts.designer.importTypes}
            </Button>
            <Button variant="primary" onPress={create}>
              <Plus size={14} aria-hidden="true" />
              {texts.designer.newType}
            </Button>
          </div>
        )}
      </header>
      {types.error && <ProblemAlert error={types.error} onRetry={() => types.refetch()} />}
      {types.data?.length === 0 && (
        <p className={styles.soft}>
          {mayAdd ? texts.designer.noTypes : texts.designer.noTypesReader}
        </p>
      )}
      {types.data && types.data.length > 0 && (
        <TextField
          label={texts.designer.filter}
          hidesLabel
          placeholder={texts.designer.filter}
          type="search"
          value={text}
          onChange={setText}
        />
      )}
      {shown?.length === 0 && text && <p className={styles.soft}>{texts.designer.noTypeMatch}</p>}
      {shown && shown.length > 0 && <List types={shown} />}
      {mayAdd && dialog === "import" && <ImportDialog onClose={() => onDialog(undefined)} />}
      {mayAdd && dialog === "packs" && (
        <Dialog title={texts.designer.starterPacks} isOpen onClose={() => onDialog(undefined)}>
          <PackList onInstalled={() => onDialog(undefined)} />
        </Dialog>
      )}
    </div>
  );
}

function List({ types }: { types: readonly ObjectType[] }) {
  const { texts, number } = useLocale();
  const counts = useQuery(countsQuery).data;
  return (
    <ul className={styles.list}>
      {types.map(({ public_id: id, label, name, fields, active, render_meta }) => {
        const objects = counts?.get(id) ?? 0;
        return (
          <li key={id}>
            <Link to="/types/$id" params={{ id: String(id) }} className={styles.type}>
              <TypeIcon name={render_meta.icon} size={18} />
              <span className={styles.label}>
                {label || name}
                {!active && <span className={styles.inactive}>{texts.inactive}</span>}
              </span>
              <code className={styles.name}>{name}</code>
              <span className={styles.soft}>
                {texts.designer.fieldsCount(fields?.length ?? 0, number(fields?.length ?? 0))}
              </span>
              <span className={styles.soft}>
                {counts && texts.objectsCount(objects, number(objects))}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
