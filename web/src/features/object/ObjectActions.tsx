import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight, Copy, MoreHorizontal, Pencil } from "lucide-react";
import { useState } from "react";
import { type Action, useActions } from "~/actions";
import { useUndoable } from "~/actions/useUndoable";
import { besideQuery, deleteObject, setObjectState } from "~/api/objects";
import { typesQuery } from "~/api/objectTypes";
import { type ReferrerCount, referrerCountsQuery, replaceObject } from "~/api/references";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import type { InventoryRecord } from "~/model/record";
import { may } from "~/model/rights";
import { ActionMenu } from "~/ui/ActionMenu";
import { Button } from "~/ui/Button";
import { toast, toastFailure } from "~/ui/Toasts";
import { DeleteDialog, type Deletion } from "./DeleteDialog";
import styles from "./ObjectPage.module.css";

/** What the caller may do with an object: buttons, a menu and keys. */
export function ObjectActions({ record }: { record: InventoryRecord }) {
  const { texts } = useLocale();
  const me = useQuery(meQuery).data;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const undoable = useUndoable();
  const [isBusy, setIsBusy] = useState(false);
  const [referrers, setReferrers] = useState<ReferrerCount[]>();
  const types = useQuery(typesQuery).data;
  const { id, type, summary, isActive } = record;
  const run = async (act: () => Promise<void>) => {
    setIsBusy(true);
    await act().catch(toastFailure);
    setIsBusy(false);
  };
  const isReference = (type: number, name: string) => {
    const fields = types?.find(({ public_id }) => public_id === type)?.fields;
    const field = fields?.find((field) => field.name === name);
    return field !== undefined && kindOf(field).targets !== undefined;
  };
  const remove = async (how: Deletion) => {
    const { requestId } = await ("target" in how
      ? replaceObject(id, how.target, isReference)
      : deleteObject(id, how.references));
    await navigate({ to: "/objects", search: { type: type.id } });
    await undoable(texts.object.deleted(summary), requestId);
  };
  const askAndRemove = async () => {
    const counts = await queries.fetchQuery({
      ...referrerCountsQuery(id, undefined),
      staleTime: 0,
    });
    if (counts.length === 0) await remove({ references: "keep" });
    else setReferrers(counts);
  };
  const toggle = async () => {
    const { requestId } = await setObjectState(id, !isActive);
    const text = isActive ? texts.object.deactivated : texts.object.activated;
    await undoable(text(summary), requestId);
  };
  const edit: Action = {
    id: "edit",
    label: texts.form.edit,
    keys: "e",
    run: () => navigate({ to: "/objects/$id/edit", params: { id: String(id) } }),
  };
  const copy: Action = {
    id: "copy",
    label: texts.form.copy,
    keys: "c",
    run: () => navigate({ to: "/objects/new", search: { type: type.id, from: id } }),
  };
  const rest: Action[] = [
    {
      id: "labels",
      label: texts.labels.title,
      run: () => navigate({ to: "/labels", search: { ids: id } }),
    },
    ...(may(me, "base.framework.object.activation")
      ? [
          {
            id: "state",
            label: isActive ? texts.object.deactivate : texts.object.activate,
            run: () => void run(toggle),
          },
        ]
      : []),
    ...(me?.types.delete.includes(type.id)
      ? [{ id: "delete", label: texts.object.delete, run: () => void run(askAndRemove) }]
      : []),
  ];
  const goBeside = async (step: 1 | -1) => {
    const beside = await queries.fetchQuery(besideQuery(type.id, id, step));
    if (beside === null) toast(texts.object.noMore);
    else await navigate({ to: "/objects/$id", params: { id: String(beside) } });
  };
  const previous: Action = {
    id: "previous",
    label: texts.object.previous,
    keys: "[",
    run: () => void run(() => goBeside(-1)),
  };
  const next: Action = {
    id: "next",
    label: texts.object.next,
    keys: "]",
    run: () => void run(() => goBeside(1)),
  };
  const mayEdit = me?.types.update.includes(type.id) ?? false;
  const mayCreate = me?.types.create.includes(type.id) ?? false;
  useActions([...(mayEdit ? [edit] : []), ...(mayCreate ? [copy] : []), ...rest, previous, next]);
  return (
    <div className={styles.actions}>
      <Button variant="quiet" aria-label={previous.label} onPress={previous.run}>
        <ChevronLeft size={16} aria-hidden="true" />
      </Button>
      <Button variant="quiet" aria-label={next.label} onPress={next.run}>
        <ChevronRight size={16} aria-hidden="true" />
      </Button>
      {mayEdit && (
        <Button onPress={edit.run}>
          <Pencil size={14} aria-hidden="true" />
          {edit.label}
        </Button>
      )}
      {mayCreate && (
        <Button onPress={copy.run}>
          <Copy size={14} aria-hidden="true" />
          {copy.label}
        </Button>
      )}
      {rest.length > 0 && (
        <ActionMenu label={texts.object.more} actions={rest} isDisabled={isBusy}>
          <MoreHorizontal size={16} aria-hidden="true" />
        </ActionMenu>
      )}
      {referrers && (
        <DeleteDialog
          record={record}
          counts={referrers}
          types={types ?? []}
          onDelete={remove}
          onClose={() => setReferrers(undefined)}
        />
      )}
    </div>
  );
}
