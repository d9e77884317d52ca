import { useLocale } from "~/i18n";
import type { AuditSearch } from "~/model/auditLog";
import { Page } from "~/ui/Page";
import { Tabs } from "~/ui/Tabs";
import { AuditFilter } from "./AuditFilter";
import { Changes } from "./Changes";
import { Logins } from "./Logins";

interface Props {
  search: AuditSearch;
  onSearch: (search: AuditSearch) => void;
}

/** Changes of all records and logins of all users, the newest first. */
export function AuditLogPage({ search, onSearch }: Props) {
  const { texts } = useLocale();
  const view = search.view ?? "changes";
  const show = (chosen: "changes" | "logins") => {
    // Both know these.
    const { actor, from, to } = search;
    const kept = Object.entries({ actor, from, to }).filter(([, value]) => value !== undefined);
    const kind = chosen === "logins" ? { view: chosen } : {};
    onSearch({ ...kind, ...Object.fromEntries(kept) });
  };
  return (
    <Page title={texts.admin.screens.history} hint={texts.auditLog.hint}>
      <Tabs
        label={texts.admin.screens.history}
        tabs={[
          { id: "changes", label: texts.auditLog.changes },
          { id: "logins", label: texts.auditLog.logins },
        ]}
        selected={view}
        onSelect={show}
      >
        <AuditFilter search={search} onSearch={onSearch} />
        {view === "changes" ? (
          <Changes search={search} onSearch={onSearch} />
        ) : (
          <Logins search={search} />
        )}
      </Tabs>
    </Page>
  );
}
