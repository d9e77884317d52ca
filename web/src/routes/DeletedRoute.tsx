import { getRouteApi } from "@tanstack/react-router";
import { DeletedPage } from "~/features/object/DeletedPage";

const route = getRouteApi("/deleted");

export function DeletedRoute() {
  const navigate = route.useNavigate();
  return (
    <DeletedPage
      type={route.useSearch().type}
      onType={(type) => navigate({ search: type === undefined ? {} : { type } })}
    />
  );
}
