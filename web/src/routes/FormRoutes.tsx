import { getRouteApi } from "@tanstack/react-router";
import { FormPage } from "~/features/form/FormPage";

const newRoute = getRouteApi("/objects/new");
const editRoute = getRouteApi("/objects/$id/edit");

export function NewRoute() {
  const { type, from } = newRoute.useSearch();
  return <FormPage key={`${type}/${from}`} id={from} type={type} />;
}

export function EditRoute() {
  const { id } = editRoute.useParams();
  return <FormPage key={id} id={Number(id)} type={undefined} />;
}
