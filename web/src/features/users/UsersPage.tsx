import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useActions } from "~/actions";
import { useRights } from "~/actions/rights";
import { groupsQuery } from "~/api/groups";
import type { User } from "~/api/records";
import { meQuery } from "~/api/session";
import { USERS_SHOWN, usersQuery } from "~/api/users";
import { useLocale } from "~/i18n";
import { fullName, type UserSearch } from "~/model/users";
import { ProblemAlert } from "~/ui/Alert";
import { Badge } from "~/ui/Badge";
import { Button } from "~/ui/Button";
import { Page } from "~/ui/Page";
import { Pager } from "~/ui/Pager";
import { Table } from "~/ui/Table";
import { UserFilter } from "./UserFilter";

interface Props {
  search: UserSearch;
  onSearch: (search: UserSearch) => void;
}

/** All users, searched and filtered. */
export function UsersPage({ search, onSearch }: Props) {
  const { texts, number } = useLocale();
  const rights = useRights();
  const navigate = useNavigate();
  const maySeeGroups = rights.has("base.user-management.group.view");
  const groups = useQuery({ ...groupsQuery, enabled: maySeeGroups }).data ?? [];
  const users = useQuery({ ...usersQuery(search), placeholderData: keepPreviousData });
  const create = () => navigate({ to: "/admin/users/new" });
  const mayCreate = rights.has("base.user-management.user.add");
  useActions(
    mayCreate ? [{ id: "user.new", label: texts.users.newUser, keys: "n", run: create }] : [],
  );
  const list = users.data;
  return (
    <Page
      title={texts.admin.screens.users}
      hint={texts.users.hint}
      actions={
        mayCreate && (
          <Button variant="primary" onPress={create}>
            <Plus size={14} aria-hidden="true" />
            {texts.users.newUser}
          </Button>
        )
      }
    >
      <UserFilter
        search={search}
        groups={groups}
        count={list && texts.users.count(list.total, number(list.total))}
        onSearch={onSearch}
      />
      {users.error && <ProblemAlert error={users.error} onRetry={() => users.refetch()} />}
      {list?.total === 0 && <p>{texts.users.empty}</p>}
      {list && list.results.length > 0 && (
        <UserList users={list.results} groupNames={namesOf(groups)} />
      )}
      {list && (
        <Pager
          page={search.page ?? 1}
          pageSize={USERS_SHOWN}
          total={list.total}
          onPage={(page) => onSearch({ ...search, page })}
        />
      )}
    </Page>
  );
}

function namesOf(groups: readonly { public_id: number; label: string; name: string }[]) {
  return new Map(groups.map((group) => [group.public_id, group.label || group.name]));
}

interface ListProps {
  users: readonly User[];
  groupNames: ReadonlyMap<number, string>;
}

function UserList({ users, groupNames }: ListProps) {
  const { texts } = useLocale();
  const own = useQuery(meQuery).data?.user.public_id;
  const { userName, none } = texts;
  const columns = [userName, texts.users.name, texts.users.group, texts.users.email];
  const rows = users.map((user) => ({
    key: user.public_id,
    cells: [
      <Link key="name" to="/admin/users/$id" params={{ id: String(user.public_id) }}>
        {user.user_name}
      </Link>,
      fullName(user) || none,
      groupNames.get(user.group_id) ?? texts.users.groupOf(String(user.group_id)),
      user.email || none,
      <UserState key="state" isActive={user.active} isOwn={user.public_id === own} />,
    ],
  }));
  return (
    <Table
      label={texts.admin.screens.users}
      columns={[...columns, texts.users.state]}
      rows={rows}
    />
  );
}

function UserState({ isActive, isOwn }: { isActive: boolean; isOwn: boolean }) {
  const { texts } = useLocale();
  if (isOwn) return <Badge>{texts.users.you}</Badge>;
  if (isActive) return <Badge variant="success">{texts.users.active}</Badge>;
  return <Badge variant="warning">{texts.users.inactive}</Badge>;
}
