import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useActions } from "~/actions";
import type { ObjectJobBody, ObjectType } from "~/api/records";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { filterOf, readFilter } from "~/model/filter";
import { idsParameter, MOST_LABELS } from "~/model/printLabels";
import { may } from "~/model/rights";
import type { View } from "~/model/view";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import styles from "./BulkBar.module.css";
import { BulkEdit } from "./BulkEdit";
import { useJob } from "./useJob";
import type { RowSelection } from "./useRowSelection";

interface Props {
  selection: RowSelection;
  view: View;
  /** The type of all rows; nothing if they are of many. */
  type: ObjectType | undefined;
  total: number;
}

/** What can be done with all selected rows. */
export function BulkBar(props: Props) {
  const { texts } = useLocale();
  if (!props.selection.isPending) return <SelectionBar {...props} />;
  return (
    <div className={styles.bar} role="status">
      {texts.loading}
    </div>
  );
}

function SelectionBar({ selection, view, type, total }: Props) {
  const { texts, number } = useLocale();
  const me = useQuery(meQuery).data;
  const job = useJob(selection.clear);
  const navigate = useNavigate();
  const [open, setOpen] = useState<"edit" | "delete">();
  const count = selection.all ? total : selection.ids.size;
  const objects = texts.objectsCount(count, number(count));
  const filter = selection.all
    ? readFilter(filterOf(view) ?? "{}")
    : { public_id: { $in: [...selection.ids] } };
  const target: Pick<ObjectJobBody, "filter" | "total"> = { filter, total: count };
  const mayEdit = type && me?.types.update.includes(type.public_id);
  const mayDelete = type ? me?.types.delete.includes(type.public_id) : me?.types.delete.length;
  const maySwitch = may(me, "base.framework.object.activation");
  const print = {
    id: "bulk-labels",
    label: texts.labels.title,
    run: () => navigate({ to: "/labels", search: { ids: idsParameter([...selection.ids]) } }),
  };
  // The address of the labels lists their objects.
  const mayPrint = !selection.all && count <= MOST_LABELS;
  useActions([
    ...(mayPrint ? [print] : []),
    ...(mayDelete
      ? [{ id: "bulk", label: texts.table.bulkDeleteAll(objects), run: () => setOpen("delete") }]
      : []),
  ]);
  return (
    <div className={styles.bar} role="toolbar" aria-label={texts.table.selected(number(count))}>
      <strong aria-live="polite">{texts.table.selected(number(count))}</strong>
      {/* Jobs know filters, but no searches. */}
      {!selection.all && count < total && view.search === undefined && (
        <Button variant="quiet" onPress={selection.selectAll}>
          {texts.table.markAll(number(total))}
        </Button>
      )}
      {mayEdit && <Button onPress={() => setOpen("edit")}>{texts.table.bulkEdit}</Button>}
      {maySwitch && (
        <>
          <Button onPress={() => job.run({ ...target, state: true })}>
            {texts.table.bulkActivate}
          </Button>
          <Button onPress={() => job.run({ ...target, state: false })}>
            {texts.table.bulkDeactivate}
          </Button>
        </>
      )}
      {mayPrint && <Button onPress={print.run}>{print.label}</Button>}
      {mayDelete && <Button onPress={() => setOpen("delete")}>{texts.table.bulkDelete}</Button>}
      <Button variant="quiet" onPress={selection.clear}>
        {texts.table.clearSelection}
      </Button>
      {job.progress && (
        <span role="status">
          <progress value={job.progress.done} max={job.progress.total} />{" "}
          {texts.table.running(number(job.progress.done), number(job.progress.total))}
        </span>
      )}
      {open === "edit" && type && (
        <BulkEdit
          type={type}
          target={target}
          onRun={(body) => {
            setOpen(undefined);
            job.run(body);
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      <Dialog
        title={texts.table.bulkDeleteTitle(objects)}
        isOpen={open === "delete"}
        onClose={() => setOpen(undefined)}
        actions={
          <>
            <Button onPress={() => setOpen(undefined)}>{texts.cancel}</Button>
            <Button
              variant="danger"
              onPress={() => {
                setOpen(undefined);
                job.run({ ...target, delete: true });
              }}
            >
              {texts.table.bulkDeleteAll(objects)}
            </Button>
          </>
        }
      >
        <p>{texts.table.bulkDeleteText}</p>
      </Dialog>
    </div>
  );
}
