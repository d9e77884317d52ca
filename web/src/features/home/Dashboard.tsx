import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { LayoutDashboard } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useActions } from "~/actions";
import { usePreferences } from "~/actions/usePreferences";
import { countsQuery } from "~/api/aggregates";
import { useLocale } from "~/i18n";
import { type Widget, widgetsOf } from "~/model/dashboard";
import { Button } from "~/ui/Button";
import styles from "./Dashboard.module.css";
import { ChartWidget } from "./widgets/ChartWidget";
import { CountWidget } from "./widgets/CountWidget";
import { ObjectListWidget } from "./widgets/ObjectListWidget";
import { TypesWidget } from "./widgets/TypesWidget";
import { UncleanWidget } from "./widgets/UncleanWidget";

/** Dragging is most of the code, and people rarely customize their dashboard. */
const EditDashboard = lazy(() =>
  import("./EditDashboard").then(({ EditDashboard }) => ({ default: EditDashboard })),
);

/** The widgets that the caller chose. */
export function Dashboard() {
  const { texts, number } = useLocale();
  const { preferences, change } = usePreferences();
  const [isEditing, setIsEditing] = useState(false);
  const widgets = widgetsOf(preferences.dashboard);
  const counts = useQuery(countsQuery).data;
  const total = counts && [...counts.values()].reduce((sum, count) => sum + count, 0);
  const edit = { id: "dashboard", label: texts.dashboard.edit, run: () => setIsEditing(true) };
  useActions([edit]);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div>
          <h1>{texts.dashboard.title}</h1>
          {total !== undefined && (
            <Link to="/objects">{texts.objectsCount(total, number(total))}</Link>
          )}
        </div>
        <Button onPress={edit.run}>
          <LayoutDashboard size={14} aria-hidden="true" />
          {edit.label}
        </Button>
      </header>
      <div className={styles.grid}>
        {widgets.map((widget) => (
          <WidgetView key={JSON.stringify(widget)} widget={widget} />
        ))}
      </div>
      {isEditing && (
        <Suspense>
          <EditDashboard
            widgets={widgets}
            onChange={(dashboard) => change(() => ({ dashboard }))}
            onClose={() => setIsEditing(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

function WidgetView({ widget }: { widget: Widget }) {
  switch (widget.kind) {
    case "types":
      return <TypesWidget />;
    case "count":
      return <CountWidget view={widget.view} />;
    case "chart":
      return <ChartWidget type={widget.type} field={widget.field} />;
    case "unclean":
      return <UncleanWidget type={widget.type} />;
    default:
      return <ObjectListWidget widget={widget} />;
  }
}
