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

type Target = Pick<ObjectJobBody, "filter" | "total">;

/** A dialog keeps what it was opened for: the server refuses another number of objects. */
interface Opened {
  what: "edit" | "delete";
  target: Target;
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
  const [opened, setOpened] = useState<Opened>();
  const count = selection.all ? total : selection.ids.size;
  const textOf = (objects: number) => texts.objectsCount(objects, number(objects));
  const filter = selection.all
    ? readFilter(filterOf(view) ?? "{}")
    : { public_id: { $in: [...selection.ids] } };
  const target: Target = { filter, total: count };
  const open = (what: Opened["what"]) => setOpened({ what, target });
  const close = () => setOpened(undefined);
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
      ? [{ id: "bulk", label: texts.table.bulkDeleteAll(textOf(count)), run: () => open("delete") }]
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
      {mayEdit && <Button onPress={() => open("edit")}>{texts.table.bulkEdit}</Button>}
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
      {mayDelete && <Button onPress={() => open("delete")}>{texts.table.bulkDelete}</Button>}
      <Button variant="quiet" onPress={selection.clear}>
        {texts.table.clearSelection}
      </Button>
      {job.progress && (
        <span role="status">
          <progress value={job.progress.done} max={job.progress.total} />{" "}
          {texts.table.running(number(job.progress.done), number(job.progress.total))}
        </span>
      )}
      {opened?.what === "edit" && type && (
        <BulkEdit
          type={type}
          target={opened.target}
          onRun={(body) => {
            close();
            job.run(body);
          }}
          onClose={close}
        />
      )}
      {opened?.what === "delete" && (
        <Dialog
          title={texts.table.bulkDeleteTitle(textOf(opened.target.total))}
          isOpen
          onClose={close}
          actions={
            <>
              <Button onPress={close}>{texts.cancel}</Button>
              <Button
                variant="danger"
                onPress={() => {
                  close();
                  job.run({ ...opened.target, delete: true });
                }}
              >
                {texts.table.bulkDeleteAll(textOf(opened.target.total))}
              </Button>
            </>
          }
        >
          <p>{texts.table.bulkDeleteText}</p>
        </Dialog>
      )}
    </div>
  );
}
