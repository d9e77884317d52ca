import { getRouteApi } from "@tanstack/react-router";
import { LabelsPage } from "~/features/labels/LabelsPage";
import { labelSearch } from "~/model/labels";

const route = getRouteApi("/labels");

export function LabelsRoute() {
  const navigate = route.useNavigate();
  return (
    <LabelsPage
      search={route.useSearch()}
      onSearch={(search) => navigate({ search: labelSearch({ ...search }), replace: true })}
    />
  );
}
