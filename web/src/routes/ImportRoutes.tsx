import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useRights } from "~/actions/rights";
import { IMPORT_RIGHT } from "~/api/imports";
import { meQuery } from "~/api/session";
import { ImportPage } from "~/features/imports/ImportPage";
import { ImportsPage } from "~/features/imports/ImportsPage";
import { NewImportPage } from "~/features/imports/NewImportPage";
import { SourcesPage } from "~/features/imports/source/SourcesPage";
import { useLocale } from "~/i18n";
import { Page } from "~/ui/Page";

const fresh = getRouteApi("/imports/new");
const one = getRouteApi("/imports/$id");

export function ImportsRoute() {
  return (
    <Allowed>
      <ImportsPage />
    </Allowed>
  );
}

export function SourcesRoute() {
  return (
    <Allowed>
      <SourcesPage />
    </Allowed>
  );
}

export function NewImportRoute() {
  const { type } = fresh.useSearch();
  return (
    <Allowed>
      <NewImportPage type={type} />
    </Allowed>
  );
}

export function ImportRoute() {
  const { id } = one.useParams();
  const { type, step } = one.useSearch();
  const navigate = one.useNavigate();
  const searchOf = (nextType: number | undefined, nextStep: "columns" | undefined) => ({
    ...(nextType === undefined ? {} : { type: nextType }),
    ...(nextStep === undefined ? {} : { step: nextStep }),
  });
  return (
    <Allowed>
      <ImportPage
        key={id}
        id={Number(id)}
        type={type}
        step={step}
        onType={(chosen) => navigate({ search: searchOf(chosen, step), replace: true })}
        onStep={(chosen) => navigate({ search: searchOf(undefined, chosen), replace: true })}
      />
    </Allowed>
  );
}

/** The screen, or that it is not for the caller. */
function Allowed({ children }: { children: ReactNode }) {
  const { texts } = useLocale();
  const me = useQuery(meQuery).data;
  const rights = useRights();
  if (!me) return null;
  if (rights.has(IMPORT_RIGHT)) return children;
  return (
    <Page title={texts.imports.title}>
      <p>{texts.imports.notAllowed}</p>
    </Page>
  );
}
