import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useRights } from "~/actions/rights";
import { meQuery } from "~/api/session";
import { userQuery } from "~/api/users";
import { useLocale } from "~/i18n";
import { fullName } from "~/model/users";
import { ProblemAlert } from "~/ui/Alert";
import { Badge } from "~/ui/Badge";
import { Page, Panel } from "~/ui/Page";
import { UserForm } from "./UserForm";
import { UserTools } from "./UserTools";

/** One user: its data, and what else can be done with it. */
export function UserPage({ id }: { id: number }) {
  const { texts, time } = useLocale();
  const rights = useRights();
  const me = useQuery(meQuery).data;
  const read = useQuery(userQuery(id));
  const [reloads, setReloads] = useState(0);
  if (read.error && !read.data)
    return <ProblemAlert error={read.error} onRetry={() => read.refetch()} />;
  if (!read.data || !me) return <Page title={texts.loading}>{null}</Page>;
  const user = read.data.data;
  const isOwn = me.user.public_id === id;
  const mayEdit = rights.has("base.user-management.user.edit");
  const registered = new Date(`${user.registration_time.replace(" ", "T")}Z`);
  return (
    <Page
      title={
        <>
          {fullName(user) || user.user_name} {isOwn && <Badge>{texts.users.you}</Badge>}
          {user.is_service && <Badge>{texts.users.service}</Badge>}{" "}
          {!user.active && <Badge variant="warning">{texts.users.inactive}</Badge>}
        </>
      }
      hint={`${user.user_name} · #${id} · ${texts.users.registered(time(registered))}`}
      actions={<UserTools user={user} isOwn={isOwn} />}
    >
      {isOwn && <Link to="/account">{texts.users.ownAccount}</Link>}
      {!mayEdit && <p>{texts.users.readOnly}</p>}
      <Panel>
        <UserForm
          key={reloads}
          user={user}
          revision={read.data.revision}
          isReadOnly={!mayEdit}
          isOwn={isOwn}
          rule={me.password_rule}
          onReload={() => read.refetch().then(() => setReloads(reloads + 1))}
        />
      </Panel>
    </Page>
  );
}

/** A user that does not exist yet. */
export function NewUserPage() {
  const { texts } = useLocale();
  const navigate = useNavigate();
  const rule = useQuery(meQuery).data?.password_rule;
  if (!rule) return null;
  return (
    <Page title={texts.users.newUser} hint={texts.users.hint}>
      <Panel>
        <UserForm
          rule={rule}
          onCreate={(user) =>
            navigate({ to: "/admin/users/$id", params: { id: String(user.public_id) } })
          }
        />
      </Panel>
    </Page>
  );
}
