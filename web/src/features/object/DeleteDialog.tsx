import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { OnReferences } from "~/api/objects";
import type { ObjectType } from "~/api/records";
import { MOST_MOVED, type ReferrerCount } from "~/api/references";
import { useLocale } from "~/i18n";
import type { InventoryRecord } from "~/model/record";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { RadioGroup } from "~/ui/RadioGroup";
import { MoveTo } from "./MoveTo";
import { Referrers } from "./Referrers";

/** What becomes of the references: the last of them point to another object. */
export type Deletion = { references: OnReferences } | { target: number };

interface Props {
  record: InventoryRecord;
  /** What refers to the object; there is something. */
  counts: readonly ReferrerCount[];
  types: readonly ObjectType[];
  onDelete: (how: Deletion) => Promise<void>;
  onClose: () => void;
}

/** Asks what becomes of the references to an object before it is deleted. */
export function DeleteDialog({ record, counts, types, onDelete, onClose }: Props) {
  const { texts, number } = useLocale();
  const [choice, setChoice] = useState<OnReferences | "move">("keep");
  const [target, setTarget] = useState<number>();
  const remove = useMutation({ mutationFn: onDelete });
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const isTooMany = total > MOST_MOVED;
  const canMove = target !== undefined && target !== record.id && !isTooMany;
  const confirm = () => {
    if (choice !== "move") remove.mutate({ references: choice });
    else if (canMove) remove.mutate({ target });
  };
  const { object } = texts;
  const moveText = isTooMany ? object.moveTooMany(number(MOST_MOVED)) : object.moveText;
  return (
    <ConfirmDialog
      title={object.deleteTitle(record.summary)}
      isOpen
      onClose={onClose}
      confirmLabel={object.delete}
      onConfirm={confirm}
      isDisabled={choice === "move" && !canMove}
      isPending={remove.isPending}
      error={remove.error}
    >
      <p>{object.referredTo(total, number(total))}</p>
      {counts.map((group) => (
        <Referrers
          key={group.type}
          id={record.id}
          group={group}
          asOf={undefined}
          type={types.find((type) => type.public_id === group.type)}
        />
      ))}
      <RadioGroup
        label={object.references}
        value={choice}
        onChange={setChoice}
        options={[
          { id: "keep", label: object.keep, text: object.keepText },
          { id: "clear", label: object.clear, text: object.clearText },
          { id: "move", label: object.move, text: moveText },
        ]}
      />
      {choice === "move" && !isTooMany && (
        <MoveTo record={record} counts={counts} target={target} onChange={setTarget} />
      )}
    </ConfirmDialog>
  );
}
