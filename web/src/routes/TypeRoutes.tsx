import { getRouteApi } from "@tanstack/react-router";
import { DesignerPage, NewTypePage } from "~/features/designer/DesignerPage";
import { TypesPage } from "~/features/designer/TypesPage";
import type { DesignerTab } from "~/features/designer/tabs";

const list = getRouteApi("/types");
const one = getRouteApi("/types/$id");
const fresh = getRouteApi("/types/new");

export function TypesRoute() {
  const { open } = list.useSearch();
  const navigate = list.useNavigate();
  return (
    <TypesPage
      dialog={open}
      onDialog={(dialog) => navigate({ search: dialog ? { open: dialog } : {}, replace: true })}
    />
  );
}

/** The fields are shown first, so the address does not name them. */
const tabSearch = (tab: DesignerTab) => (tab === "fields" ? {} : { tab });

export function TypeRoute() {
  const { id } = one.useParams();
  const { tab } = one.useSearch();
  const navigate = one.useNavigate();
  return (
    <DesignerPage
      key={id}
      id={Number(id)}
      tab={tab ?? "fields"}
      onTab={(chosen) => navigate({ search: tabSearch(chosen), replace: true })}
    />
  );
}

export function NewTypeRoute() {
  const { tab, from } = fresh.useSearch();
  const navigate = fresh.useNavigate();
  return (
    <NewTypePage
      key={from}
      from={from}
      tab={tab ?? "fields"}
      onTab={(chosen) =>
        navigate({ search: { ...(from ? { from } : {}), ...tabSearch(chosen) }, replace: true })
      }
    />
  );
}
