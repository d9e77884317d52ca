export const dashboard = {
  title: "Dashboard",
  edit: "Customize dashboard",
  widgets: "Widgets",
  kind: "Widget",
  add: "Add widget",
  move: "Move",
  remove: (name: string) => `Remove ${name}`,
  within: "Within",
  days: (count: number) => `${count} days`,
  none: "No objects.",
  gone: "Not available",
  goneHint:
    "What this widget shows was deleted, or you do not have permission to see it. To remove the widget, customize the dashboard.",
  chartTitle: (type: string, field: string) => `${type} by ${field}`,
  expiringTitle: (type: string, field: string, days: number) =>
    `${type}: ${field} in the next ${days} days`,
  uncleanTitle: (type: string) => `${type}: objects to clean up`,
  uncleanHint: "Objects that do not match their type.",
  kinds: {
    count: "Object count of a view",
    view: "Objects of a view",
    chart: "Chart of a field",
    expiring: "Upcoming dates",
    unclean: "Objects to clean up",
    recent: "Recently changed",
    types: "All types",
  },
};
