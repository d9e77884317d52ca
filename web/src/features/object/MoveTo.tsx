import { useQuery } from "@tanstack/react-query";
import { typesQuery } from "~/api/objectTypes";
import type { ReferrerCount } from "~/api/references";
import { useLocale } from "~/i18n";
import { Edit } from "~/kinds/reference/Edit";
import type { InventoryRecord } from "~/model/record";
import { commonTargets } from "~/model/references";

interface Props {
  record: InventoryRecord;
  counts: readonly ReferrerCount[];
  target: number | undefined;
  onChange: (target: number | undefined) => void;
}

/** Chooses the object that references to a deleted one point to from then on. */
export function MoveTo({ record, counts, target, onChange }: Props) {
  const { texts } = useLocale();
  const types = useQuery(typesQuery).data ?? [];
  const referring = counts.map(({ type }) => types.find(({ public_id }) => public_id === type));
  const field = {
    type: "ref",
    name: "target",
    label: texts.object.moveTarget,
    required: true,
    ref_types: commonTargets(record.type.id, referring),
  };
  return (
    <Edit
      field={field}
      value={target ?? null}
      onChange={(id) => onChange(typeof id === "number" ? id : undefined)}
      error={target === record.id ? texts.object.moveSelf : undefined}
    />
  );
}
