import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { typesQuery } from "~/api/objectTypes";
import { viewsQuery } from "~/api/views";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { MOST_WIDGETS, type Widget, type WidgetKind } from "~/model/dashboard";
import { fieldsOf } from "~/model/object";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { OrderList } from "~/ui/OrderList";
import { Select } from "~/ui/Select";
import styles from "./Dashboard.module.css";

interface Props {
  widgets: readonly Widget[];
  onChange: (widgets: Widget[]) => void;
  onClose: () => void;
}

/** Adds, removes and sorts the widgets. */
export function EditDashboard({ widgets, onChange, onClose }: Props) {
  const { texts } = useLocale();
  const name = useWidgetName();
  const items = widgets.map((widget) => ({ id: JSON.stringify(widget), label: name(widget) }));
  return (
    <Dialog
      title={texts.dashboard.edit}
      isOpen
      onClose={onClose}
      actions={
        <Button variant="primary" onPress={onClose}>
          {texts.close}
        </Button>
      }
    >
      <div className={styles.edit}>
        <OrderList
          label={texts.dashboard.widgets}
          items={items}
          removeLabel={texts.dashboard.remove}
          dragLabel={texts.dashboard.move}
          onOrder={(ids) => onChange(ids.map((id) => JSON.parse(id)))}
        />
        {widgets.length < MOST_WIDGETS && (
          <AddWidget onAdd={(widget) => onChange([...widgets, widget])} />
        )}
      </div>
    </Dialog>
  );
}

function useWidgetName() {
  const { texts } = useLocale();
  const types = useQuery(typesQuery).data ?? [];
  const views = useQuery(viewsQuery).data ?? [];
  return (widget: Widget): string => {
    const kind = texts.dashboard.kinds[widget.kind];
    if ("view" in widget) {
      const view = views.find(({ public_id }) => public_id === widget.view);
      return `${kind}: ${view?.name ?? texts.dashboard.gone}`;
    }
    if (!("type" in widget)) return kind;
    const type = types.find(({ public_id }) => public_id === widget.type);
    const field =
      "field" in widget ? fieldsOf(type).find(({ name }) => name === widget.field) : undefined;
    return [kind, type?.label ?? texts.dashboard.gone, field?.label].filter(Boolean).join(": ");
  };
}

const KINDS: readonly WidgetKind[] = [
  "count",
  "view",
  "chart",
  "expiring",
  "unclean",
  "recent",
  "types",
];
const PERIODS = [30, 90, 365];

function AddWidget({ onAdd }: { onAdd: (widget: Widget) => void }) {
  const { texts } = useLocale();
  const types = useQuery(typesQuery).data ?? [];
  const views = useQuery(viewsQuery).data ?? [];
  const [kind, setKind] = useState<WidgetKind>("count");
  const [view, setView] = useState<string>();
  const [typeId, setTypeId] = useState<string>();
  const [fieldName, setFieldName] = useState<string>();
  const [days, setDays] = useState("90");
  const type = types.find(({ public_id }) => String(public_id) === typeId) ?? types[0];
  const fields = fieldsOf(type).filter((field) => {
    const { holdsDates, isSecret } = kindOf(field);
    return kind === "expiring" ? holdsDates : !isSecret;
  });
  const field = fields.find(({ name }) => name === fieldName) ?? fields[0];
  const chosenView = view ?? String(views[0]?.public_id ?? "");
  const needsView = kind === "count" || kind === "view";
  const needsType = kind === "chart" || kind === "expiring" || kind === "unclean";
  const needsField = kind === "chart" || kind === "expiring";
  const add = () => {
    if (needsView && chosenView) onAdd({ kind, view: Number(chosenView) });
    else if (kind === "recent" || kind === "types") onAdd({ kind });
    else if (!type || needsView) return;
    else if (kind === "unclean") onAdd({ kind, type: type.public_id });
    else if (field && kind === "chart") onAdd({ kind, type: type.public_id, field: field.name });
    else if (field && kind === "expiring") {
      onAdd({ kind, type: type.public_id, field: field.name, days: Number(days) });
    }
  };
  return (
    <div className={styles.add}>
      <Select
        label={texts.dashboard.kind}
        options={KINDS.map((id) => ({ id, label: texts.dashboard.kinds[id] }))}
        value={kind}
        onChange={setKind}
      />
      {needsView && (
        <Select
          label={texts.table.view}
          options={views.map(({ public_id, name }) => ({ id: String(public_id), label: name }))}
          value={chosenView}
          onChange={setView}
        />
      )}
      {needsType && (
        <Select
          label={texts.type}
          options={types.map(({ public_id, label, name }) => ({
            id: String(public_id),
            label: label || name,
          }))}
          value={String(type?.public_id ?? "")}
          onChange={setTypeId}
        />
      )}
      {needsField && (
        <Select
          label={texts.field}
          options={fields.map(({ name, label }) => ({ id: name, label: label || name }))}
          value={field?.name ?? ""}
          onChange={setFieldName}
        />
      )}
      {kind === "expiring" && (
        <Select
          label={texts.dashboard.within}
          options={PERIODS.map((count) => ({
            id: String(count),
            label: texts.dashboard.days(count),
          }))}
          value={days}
          onChange={setDays}
        />
      )}
      <Button onPress={add}>{texts.dashboard.add}</Button>
    </div>
  );
}
