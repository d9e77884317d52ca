import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import { rememberObject } from "~/actions/recent";
import { ObjectPage } from "~/features/object/ObjectPage";
import { objectSearch } from "~/model/moment";

const route = getRouteApi("/objects/$id");

export function ObjectRoute() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useEffect(() => rememberObject(Number(id)), [id]);
  return (
    <ObjectPage
      key={id}
      id={Number(id)}
      search={search}
      onSearch={(next) => {
        // "Back" leads to the state that was shown before, not through the tabs.
        const isSameState = next.revision === search.revision && next.as_of === search.as_of;
        navigate({ search: objectSearch({ ...next }), replace: isSameState });
      }}
    />
  );
}
