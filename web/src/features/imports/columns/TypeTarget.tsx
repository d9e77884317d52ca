import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRights } from "~/actions/rights";
import type { Import, ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { proposedBody } from "~/model/importType";
import { Button } from "~/ui/Button";
import { ComboBox } from "~/ui/ComboBox";
import styles from "../imports.module.css";
import { NewType } from "./NewType";

interface Props {
  shown: Import;
  types: readonly ObjectType[];
  type: ObjectType | undefined;
  onType: (type: number | undefined) => void;
}

/** A type that is there, or a new one from the columns. */
export function TypeTarget({ shown, types, type, onType }: Props) {
  const { texts } = useLocale();
  const rights = useRights();
  const [text, setText] = useState("");
  const [isNew, setIsNew] = useState(false);
  const proposed = rights.has("base.framework.type.add")
    ? proposedBody(shown.proposed_type)
    : undefined;
  const wanted = text.trim().toLowerCase();
  const options = types.map(({ public_id, label, name }) => ({
    id: String(public_id),
    label: label || name,
    detail: name,
  }));
  return (
    <div className={styles.target}>
      {types.length > 0 ? (
        <ComboBox
          label={texts.imports.type}
          placeholder={texts.imports.chooseType}
          emptyText={texts.imports.noTypeMatch}
          clearLabel={undefined}
          chosen={options.find(({ id }) => id === String(type?.public_id))}
          options={options.filter(({ label, detail }) =>
            `${label} ${detail}`.toLowerCase().includes(wanted),
          )}
          onSearch={setText}
          onChange={(id) => onType(id === undefined ? undefined : Number(id))}
        />
      ) : (
        !proposed && <p>{texts.imports.noTypes}</p>
      )}
      {proposed && (
        <Button variant={types.length === 0 ? "primary" : "plain"} onPress={() => setIsNew(true)}>
          {texts.imports.makeType}
        </Button>
      )}
      {type && rights.has("base.framework.type.edit") && (
        <Link to="/types/$id" params={{ id: String(type.public_id) }}>
          {texts.imports.changeType}
        </Link>
      )}
      {isNew && proposed && (
        <NewType
          proposed={proposed}
          columns={shown.columns ?? []}
          onMade={(id) => {
            setIsNew(false);
            onType(id);
          }}
          onClose={() => setIsNew(false)}
        />
      )}
    </div>
  );
}
