import { getRouteApi } from "@tanstack/react-router";
import { AuditLogPage } from "~/features/auditLog/AuditLogPage";

const route = getRouteApi("/admin/history");

export function AuditLogRoute() {
  const navigate = route.useNavigate();
  return <AuditLogPage search={route.useSearch()} onSearch={(search) => navigate({ search })} />;
}
