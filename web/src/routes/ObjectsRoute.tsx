import { getRouteApi } from "@tanstack/react-router";
import { TablePage } from "~/features/table/TablePage";

const route = getRouteApi("/objects");

export function ObjectsRoute() {
  return <TablePage search={route.useSearch()} />;
}
