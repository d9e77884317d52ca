import { getRouteApi } from "@tanstack/react-router";
import { LabelsPage } from "~/features/printLabels/LabelsPage";
import { labelSearch } from "~/model/printLabels";

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
