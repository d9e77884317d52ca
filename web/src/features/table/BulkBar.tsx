import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useActions } from "~/actions";
import { meQuery } from "~/api/queries";
import type { ObjectJobBody, ObjectType } from "~/api/types";
import { useLocale } from "~/i18n";
import { Button } from "~/kit/Button";
import { Dialog } from "~/kit/Dialog";
import { filterOf } from "~/model/filter";
import { idsParameter, MOST_LABELS } from "~/model/labels";
import { may } from "~/model/rights";
import type { View } from "~/model/view";
import styles from "./BulkBar.module.css";
import { BulkEdit } from "./BulkEdit";
import { useJob } from "./useJob";
import type { Marks } from "./useMarks";

interface Props {
  marks: Marks;
  view: View;
  /** The type of all rows; nothing if they are of many. */
  type: ObjectType | undefined;
  total: number;
}

/** What can be done with all marked rows. */
export function BulkBar(props: Props) {
  const { texts } = useLocale();
  if (!props.marks.isPending) return <MarkedBar {...props} />;
  return (
    <div className={styles.bar} role="status">
      {texts.loading}
    </div>
  );
}

function MarkedBar({ marks, view, type, total }: Props) {
  const { texts, number } = useLocale();
  const me = useQuery(meQuery).data;
  const job = useJob(marks.clear);
  const navigate = useNavigate();
  const [open, setOpen] = useState<"edit" | "delete">();
  const count = marks.all ? total : marks.ids.size;
  const filter = marks.all
    ? JSON.parse(filterOf(view) ?? "{}")
    : { public_id: { $in: [...marks.ids] } };
  const target: Pick<ObjectJobBody, "filter" | "total"> = { filter, total: count };
  const mayEdit = type && me?.types.update.includes(type.public_id);
  const mayDelete = type ? me?.types.delete.includes(type.public_id) : me?.types.delete.length;
  const maySwitch = may(me, "base.framework.object.activation");
  const print = {
    id: "bulk-labels",
    label: texts.labels.title,
    run: () => navigate({ to: "/labels", search: { ids: idsParameter([...marks.ids]) } }),
  };
  // The address of the labels lists their objects.
  const mayPrint = !marks.all && count <= MOST_LABELS;
  useActions([
    ...(mayPrint ? [print] : []),
    ...(mayDelete
      ? [{ id: "bulk", label: texts.table.bulkDelete, run: () => setOpen("delete") }]
      : []),
  ]);
  return (
    <div className={styles.bar} role="toolbar" aria-label={texts.table.marked(number(count))}>
      <strong aria-live="polite">{texts.table.marked(number(count))}</strong>
      {/* Jobs know filters, but no searches. */}
      {!marks.all && count < total && view.search === undefined && (
        <Button look="quiet" onPress={marks.markAll}>
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
      <Button look="quiet" onPress={marks.clear}>
        {texts.table.unmark}
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
        title={texts.table.bulkDeleteTitle(texts.objectsCount(count, number(count)))}
        isOpen={open === "delete"}
        onClose={() => setOpen(undefined)}
        actions={
          <>
            <Button onPress={() => setOpen(undefined)}>{texts.cancel}</Button>
            <Button
              look="danger"
              onPress={() => {
                setOpen(undefined);
                job.run({ ...target, delete: true });
              }}
            >
              {texts.table.bulkDelete}
            </Button>
          </>
        }
      >
        <p>{texts.table.bulkDeleteText}</p>
      </Dialog>
    </div>
  );
}
