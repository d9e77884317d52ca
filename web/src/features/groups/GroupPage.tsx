import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useRights } from "~/actions/rights";
import { groupQuery } from "~/api/groups";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Button, buttonClass } from "~/ui/Button";
import { Page } from "~/ui/Page";
import { AccessLists } from "./AccessLists";
import { DeleteGroup } from "./DeleteGroup";
import { GroupForm } from "./GroupForm";

/** The groups of the first start are there for ever. */
const LAST_FIXED_GROUP = 2;

/** One group: its rights, and what access lists grant it. */
export function GroupPage({ id }: { id: number }) {
  const { texts } = useLocale();
  const rights = useRights();
  const read = useQuery(groupQuery(id));
  const [reloads, setReloads] = useState(0);
  const [isDeleting, setIsDeleting] = useState(false);
  if (read.error && !read.data)
    return <ProblemAlert error={read.error} onRetry={() => read.refetch()} />;
  if (!read.data) return <Page title={texts.loading}>{null}</Page>;
  const group = read.data.data;
  const mayEdit = rights.has("base.user-management.group.edit");
  const mayDelete = rights.has("base.user-management.group.delete") && id > LAST_FIXED_GROUP;
  return (
    <Page
      title={group.label || group.name}
      hint={`${group.name} · #${id}`}
      actions={
        <>
          {rights.has("base.user-management.user.view") && (
            <Link to="/admin/users" search={{ group: id }} className={buttonClass("quiet")}>
              {texts.groups.showMembers}
            </Link>
          )}
          {rights.has("base.framework.log.view") && (
            <Link
              to="/admin/history"
              search={{ resource: "group", id }}
              className={buttonClass("quiet")}
            >
              {texts.history}
            </Link>
          )}
          {mayDelete && <Button onPress={() => setIsDeleting(true)}>{texts.groups.delete}</Button>}
        </>
      }
    >
      {!mayEdit && <p>{texts.groups.readOnly}</p>}
      <GroupForm
        key={reloads}
        group={group}
        revision={read.data.revision}
        isReadOnly={!mayEdit}
        onReload={() => read.refetch().then(() => setReloads(reloads + 1))}
      />
      {rights.has("base.framework.type.view") && <AccessLists group={id} />}
      {isDeleting && <DeleteGroup group={group} onClose={() => setIsDeleting(false)} />}
    </Page>
  );
}

/** A group that does not exist yet. */
export function NewGroupPage() {
  const { texts } = useLocale();
  const navigate = useNavigate();
  return (
    <Page title={texts.groups.newGroup} hint={texts.groups.hint}>
      <GroupForm
        onCreate={(group) =>
          navigate({ to: "/admin/groups/$id", params: { id: String(group.public_id) } })
        }
      />
    </Page>
  );
}
