import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useRights } from "~/actions/rights";
import { loginsQuery } from "~/api/history";
import { meQuery } from "~/api/session";
import { userNamesQuery } from "~/api/users";
import { useLocale } from "~/i18n";
import type { AuditSearch } from "~/model/auditLog";
import { ProblemAlert } from "~/ui/Alert";
import { Badge } from "~/ui/Badge";
import { Button } from "~/ui/Button";
import { Table } from "~/ui/Table";

/** Who logged in from where, or tried to. */
export function Logins({ search }: { search: AuditSearch }) {
  const { texts, time } = useLocale();
  const rights = useRights();
  const log = useInfiniteQuery(loginsQuery(search));
  const logins = log.data?.pages.flatMap((page) => page.results) ?? [];
  const ids = [...new Set(logins.flatMap(({ user_id }) => user_id ?? []))].toSorted();
  const names = useQuery({
    ...userNamesQuery(ids),
    enabled: ids.length > 0 && rights.has("base.user-management.user.view"),
  }).data;
  const me = useQuery(meQuery).data?.user;
  const nameOf = (id: number | null) => {
    if (id === null) return texts.auditLog.unknownName;
    return names?.get(id) ?? (me?.public_id === id ? me.user_name : texts.user(String(id)));
  };
  const { who, purpose, result, results, attempts } = texts.auditLog;
  const rows = logins.map((login) => ({
    key: login.request_id,
    cells: [
      time(new Date(`${login.at}Z`)),
      nameOf(login.user_id),
      login.address,
      attempts[login.via] ?? login.via,
      <Badge key="result" variant={login.result === "success" ? "success" : "danger"}>
        {results[login.result] ?? login.result}
      </Badge>,
    ],
  }));
  return (
    <>
      {log.error && <ProblemAlert error={log.error} onRetry={() => log.refetch()} />}
      {log.isPending && <p>{texts.loading}</p>}
      {log.data && rows.length === 0 && !log.hasNextPage && <p>{texts.auditLog.empty}</p>}
      {rows.length > 0 && (
        <Table
          label={texts.auditLog.logins}
          columns={[texts.auditLog.time, who, texts.address, purpose, result]}
          rows={rows}
        />
      )}
      {log.hasNextPage && (
        <div>
          <Button isPending={log.isFetchingNextPage} onPress={() => log.fetchNextPage()}>
            {texts.auditLog.more}
          </Button>
        </div>
      )}
    </>
  );
}
