import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { nativeObjectQuery } from "~/api/objects";
import { typesQuery } from "~/api/objectTypes";
import type { InventoryObject, ObjectType } from "~/api/records";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { copiedValues, initialValues, type Values, valuesOf } from "~/model/draft";
import { fieldsOf, summaryOf } from "~/model/object";
import { ProblemAlert } from "~/ui/Alert";
import { toast } from "~/ui/Toasts";
import styles from "./Form.module.css";
import { ObjectForm } from "./ObjectForm";
import type { Base } from "./useObjectForm";

interface Props {
  /** The object to edit, or the one that a new object copies. */
  id: number | undefined;
  /** The type of a new object. */
  type: number | undefined;
}

/** A form for a new object, or for one that there is. */
export function FormPage({ id, type: typeId }: Props) {
  const { texts } = useLocale();
  const me = useQuery(meQuery).data;
  const types = useQuery(typesQuery);
  const object = useQuery({
    ...nativeObjectQuery(id ?? 0),
    enabled: id !== undefined,
    // What somebody types must not change below their hands; saving notices changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  // What is typed stays, whatever happens when the data behind it is read again.
  if (!types.data || !me || (id !== undefined && !object.data)) {
    const error = types.error ?? object.error;
    if (error) return <ProblemAlert error={error} />;
    return <p className={styles.page}>{texts.loading}</p>;
  }
  const wanted = typeId ?? object.data?.data.type_id;
  const type = types.data.find((type) => type.public_id === wanted);
  if (!type) return <p className={styles.page}>{texts.notFound}</p>;
  const isNew = typeId !== undefined;
  const allowed = isNew ? me.types.create : me.types.update;
  if (!allowed.includes(type.public_id)) {
    return <p className={styles.page}>{texts.form.notAllowed}</p>;
  }
  const read = object.data;
  if (isNew || !read) return <NewObject type={type} original={read?.data} />;
  const base = {
    id: read.data.public_id,
    values: valuesOf(read.data),
    revision: read.revision,
  };
  return <EditedObject type={type} base={base} object={read.data} />;
}

function EditedObject({
  type,
  base,
  object,
}: {
  type: ObjectType;
  base: Base;
  object: InventoryObject;
}) {
  const { texts } = useLocale();
  const navigate = useNavigate();
  const name = summaryOf(object, type) || `#${base.id}`;
  const back = () => navigate({ to: "/objects/$id", params: { id: String(base.id) } });
  return (
    <ObjectForm
      title={texts.form.editObject(name)}
      type={type}
      base={base}
      initial={base.values}
      onSaved={(saved, isChanged) => {
        const savedName = summaryOf(saved, type) || `#${saved.public_id}`;
        toast(isChanged ? texts.form.saved(savedName) : texts.form.unchanged);
        back();
      }}
      onCancel={back}
    />
  );
}

function NewObject({
  type,
  original,
}: {
  type: ObjectType;
  original: InventoryObject | undefined;
}) {
  const { texts } = useLocale();
  const navigate = useNavigate();
  const fields = fieldsOf(type);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [initial, setInitial] = useState<{ values: Values; number: number }>(() => ({
    values: original ? copiedValues(original, fields) : initialValues(fields),
    number: 0,
  }));
  const nameOf = (object: InventoryObject) => summaryOf(object, type) || `#${object.public_id}`;
  const keep = (name: string) => {
    const next = new Set(kept);
    if (!next.delete(name)) next.add(name);
    setKept(next);
  };
  const begin = (values: Values) => {
    const next = new Map(initialValues(fields));
    for (const name of kept) next.set(name, values.get(name));
    setInitial({ values: next, number: initial.number + 1 });
  };
  return (
    <ObjectForm
      key={initial.number}
      title={
        original
          ? texts.form.copyObject(nameOf(original))
          : texts.form.newObject(type.label || type.name)
      }
      type={type}
      base={undefined}
      initial={initial.values}
      kept={kept}
      onKeep={keep}
      onSaved={(saved) => {
        toast(texts.form.created(nameOf(saved)));
        navigate({ to: "/objects/$id", params: { id: String(saved.public_id) } });
      }}
      onSavedForNext={(saved) => {
        toast(texts.form.created(nameOf(saved)));
        begin(valuesOf(saved));
      }}
      onCancel={() => navigate({ to: "/objects", search: { type: type.public_id } })}
    />
  );
}
