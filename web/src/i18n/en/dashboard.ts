export const dashboard = {
  edit: "Arrange overview",
  widgets: "Widgets",
  kind: "Widget",
  add: "Add widget",
  move: "Move",
  remove: (name: string) => `Remove ${name}`,
  within: "Within",
  days: (count: number) => `${count} days`,
  none: "None.",
  gone: "No longer there",
  goneHint:
    "What this widget shows was deleted, or you may not see it. Arrange the overview to remove it.",
  chartTitle: (type: string, field: string) => `${type} by ${field.toLowerCase()}`,
  expiringTitle: (type: string, field: string, days: number) =>
    `${type}: ${field.toLowerCase()} in the next ${days} days`,
  uncleanTitle: (type: string) => `${type}: to clean`,
  uncleanHint: "Objects whose fields differ from those of their type.",
  kinds: {
    count: "Number of a view",
    view: "Objects of a view",
    chart: "Chart of a field",
    expiring: "Dates that come near",
    unclean: "Objects to clean",
    recent: "Recently changed",
    types: "All types",
  },
};
