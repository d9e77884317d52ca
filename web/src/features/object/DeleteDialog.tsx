import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { OnReferences } from "~/api/objects";
import type { ReferrerCount } from "~/api/references";
import type { ObjectType } from "~/api/types";
import { useLocale } from "~/i18n";
import { ConfirmDialog } from "~/kit/ConfirmDialog";
import { RadioChoice } from "~/kit/RadioChoice";
import type { InventoryRecord } from "~/model/record";
import { Referrers } from "./Referrers";

interface Props {
  record: InventoryRecord;
  /** What refers to the object; there is something. */
  counts: readonly ReferrerCount[];
  types: readonly ObjectType[];
  onDelete: (references: OnReferences) => Promise<void>;
  onClose: () => void;
}

/** Asks what becomes of the references to an object before it is deleted. */
export function DeleteDialog({ record, counts, types, onDelete, onClose }: Props) {
  const { texts, number } = useLocale();
  const [references, setReferences] = useState<OnReferences>("keep");
  const remove = useMutation({ mutationFn: onDelete });
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <ConfirmDialog
      title={texts.object.deleteTitle(record.summary)}
      isOpen
      onClose={onClose}
      confirmLabel={texts.object.delete}
      onConfirm={() => remove.mutate(references)}
      isPending={remove.isPending}
      error={remove.error}
    >
      <p>{texts.object.referredTo(total, number(total))}</p>
      {counts.map((group) => (
        <Referrers
          key={group.type}
          id={record.id}
          group={group}
          asOf={undefined}
          type={types.find((type) => type.public_id === group.type)}
        />
      ))}
      <RadioChoice
        label={texts.object.references}
        value={references}
        onChange={setReferences}
        options={[
          { id: "keep", label: texts.object.keep, text: texts.object.keepText },
          { id: "clear", label: texts.object.clear, text: texts.object.clearText },
        ]}
      />
    </ConfirmDialog>
  );
}
