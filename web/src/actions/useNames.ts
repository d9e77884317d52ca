import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { categoriesQuery } from "~/api/categories";
import { groupsQuery } from "~/api/groups";
import { objectsByIdQuery } from "~/api/objectNames";
import { typesQuery } from "~/api/objectTypes";
import type { Change, RightName } from "~/api/records";
import { meQuery } from "~/api/session";
import { userNamesQuery } from "~/api/users";
import { useLocale } from "~/i18n";
import { namedIn } from "~/model/auditLog";
import { summaryOf } from "~/model/object";
import { useRights } from "./rights";

/** What changes name, for people. */
export interface Names {
  actor: (id: number) => string;
  record: (change: RecordRef) => string;
}

export interface RecordRef {
  resource: string;
  public_id?: number | null | undefined;
  type_id?: number | null | undefined;
  user_id?: number | null | undefined;
  identifier?: string | null | undefined;
}

/** The names of the records and users of these changes, as far as the caller may see them. */
export function useNames(changes: readonly Change[]): Names {
  const { texts } = useLocale();
  const rights = useRights();
  const ids = namedIn(changes);
  const may = (right: RightName) => ({
    enabled: rights.has(right),
    placeholderData: keepPreviousData,
  });
  const users = useQuery({
    ...userNamesQuery(ids.users),
    ...may("base.user-management.user.view"),
  }).data;
  const objects = useQuery({
    ...objectsByIdQuery(ids.objects),
    ...may("base.framework.object.view"),
  }).data;
  const types = useQuery({ ...typesQuery, enabled: rights.has("base.framework.type.view") }).data;
  const categories = useQuery({
    ...categoriesQuery,
    enabled: rights.has("base.framework.category.view"),
  }).data;
  const groups = useQuery({
    ...groupsQuery,
    enabled: rights.has("base.user-management.group.view"),
  }).data;
  const me = useQuery(meQuery).data?.user;
  const userName = (id: number) =>
    users?.get(id) ?? (me?.public_id === id ? me.user_name : undefined);
  const named = (list: readonly Named[] | undefined, id: number) => {
    const record = list?.find(({ public_id }) => public_id === id);
    return record && (record.label || record.name);
  };
  return {
    actor: (id) => (id === 0 ? texts.unknownUser : (userName(id) ?? texts.user(String(id)))),
    record: ({ resource, public_id, type_id, user_id, identifier }) => {
      const id = public_id ?? 0;
      const kind = texts.auditLog.resources[resource] ?? resource;
      if (resource === "object") {
        const type = types?.find((type) => type.public_id === type_id);
        const object = objects?.find((object) => object.public_id === id);
        const summary = object && summaryOf(object, type);
        return [type?.label ?? kind, summary || `#${id}`].join(" ");
      }
      if (resource === "setting") {
        const owner = user_id ? userName(user_id) : undefined;
        return [kind, identifier, owner && `(${owner})`].filter(Boolean).join(" ");
      }
      const lists: Record<string, readonly Named[] | undefined> = {
        type: types,
        category: categories,
        group: groups,
      };
      const name = resource === "user" ? userName(id) : named(lists[resource], id);
      return `${kind} ${name ?? `#${id}`}`;
    },
  };
}

interface Named {
  public_id: number;
  label: string;
  name: string;
}
