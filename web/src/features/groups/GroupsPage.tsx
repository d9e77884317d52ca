import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useActions } from "~/actions";
import { useRights } from "~/actions/rights";
import { groupsQuery, rightsQuery } from "~/api/groups";
import { groupSizesQuery } from "~/api/users";
import { useLocale } from "~/i18n";
import { effectiveRights } from "~/model/groupRights";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Page } from "~/ui/Page";
import { Table } from "~/ui/Table";

/** All groups, with the number of their users and rights. */
export function GroupsPage() {
  const { texts, number } = useLocale();
  const rights = useRights();
  const navigate = useNavigate();
  const groups = useQuery(groupsQuery);
  const allRights = useQuery(rightsQuery).data ?? [];
  const maySeeUsers = rights.has("base.user-management.user.view");
  const sizes = useQuery({ ...groupSizesQuery, enabled: maySeeUsers }).data;
  const mayCreate = rights.has("base.user-management.group.add");
  const create = () => navigate({ to: "/admin/groups/new" });
  useActions(
    mayCreate ? [{ id: "group.new", label: texts.groups.newGroup, keys: "n", run: create }] : [],
  );
  const columns = [
    texts.groups.label,
    texts.groups.name,
    texts.groups.members,
    texts.groups.rights,
  ];
  const rows = (groups.data ?? []).map((group) => {
    const granted = new Set(group.rights.map(({ name }) => name));
    return {
      key: group.public_id,
      cells: [
        <Link key="label" to="/admin/groups/$id" params={{ id: String(group.public_id) }}>
          {group.label || group.name}
        </Link>,
        group.name,
        sizes ? number(sizes.get(group.public_id) ?? 0) : texts.none,
        texts.groups.granted(
          number(effectiveRights(allRights, granted).length),
          number(allRights.length),
        ),
      ],
    };
  });
  return (
    <Page
      title={texts.admin.screens.groups}
      hint={texts.groups.hint}
      actions={
        mayCreate && (
          <Button variant="primary" onPress={create}>
            <Plus size={14} aria-hidden="true" />
            {texts.groups.newGroup}
          </Button>
        )
      }
    >
      {groups.error && <ProblemAlert error={groups.error} onRetry={() => groups.refetch()} />}
      {groups.data?.length === 0 && <p>{texts.groups.empty}</p>}
      {rows.length > 0 && (
        <Table label={texts.admin.screens.groups} columns={columns} rows={rows} />
      )}
    </Page>
  );
}
