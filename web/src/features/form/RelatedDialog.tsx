import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { typesQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import { initialValues } from "~/model/draft";
import { fieldsOf } from "~/model/object";
import { Dialog } from "~/ui/Dialog";
import { Select } from "~/ui/Select";
import { ObjectForm } from "./ObjectForm";

export interface RelatedRequest {
  /** The types that the new object may have. */
  types: readonly number[];
  onCreated: (id: number) => void;
}

/** Makes an object for a reference, without leaving the form that refers to it. */
export function RelatedDialog({
  request,
  onClose,
}: {
  request: RelatedRequest;
  onClose: () => void;
}) {
  const { texts } = useLocale();
  const types = useQuery(typesQuery).data ?? [];
  const [chosen, setChosen] = useState(request.types[0]);
  const offered = types.filter((type) => request.types.includes(type.public_id));
  const type = offered.find((type) => type.public_id === chosen) ?? offered[0];
  if (!type) return null;
  return (
    <Dialog title={texts.form.createRelated} isOpen onClose={onClose} width="wide">
      {offered.length > 1 && (
        <Select
          label={texts.type}
          options={offered.map((type) => ({ id: String(type.public_id), label: type.label }))}
          value={String(type.public_id)}
          onChange={(id) => setChosen(Number(id))}
        />
      )}
      <ObjectForm
        key={type.public_id}
        title={texts.form.newObject(type.label || type.name)}
        type={type}
        base={undefined}
        initial={initialValues(fieldsOf(type))}
        onSaved={(saved) => {
          request.onCreated(saved.public_id);
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
