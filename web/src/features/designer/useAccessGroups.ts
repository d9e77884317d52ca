import { useQuery } from "@tanstack/react-query";
import { groupsQuery } from "~/api/groups";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { may } from "~/model/rights";
import { type AccessGroup, PERMISSIONS, permittedBy } from "~/model/typeAccess";
import type { TypeDraft } from "~/model/typeDraft";

/** The groups that the caller knows: who may not see groups knows their own, and those of a list. */
export function useAccessGroups(...drafts: readonly TypeDraft[]) {
  const { texts } = useLocale();
  const me = useQuery(meQuery).data;
  const maySeeGroups = may(me, "base.user-management.group.view");
  const groups = useQuery({ ...groupsQuery, enabled: maySeeGroups });
  const own = me && { ...me.group, rights: me.rights.map((name) => ({ name })) };
  const known: AccessGroup[] = (groups.data ?? (own ? [own] : [])).map((group) => ({
    id: String(group.public_id),
    label: group.label || group.name,
    may: permittedBy(group.rights.map(({ name }) => name)),
  }));
  const listed = new Set(drafts.flatMap(({ type }) => Object.keys(type.acl.groups.includes ?? {})));
  const others = [...listed]
    .filter((id) => !known.some((group) => group.id === id))
    .map((id) => ({ id, label: texts.designer.groupNumber(id), may: PERMISSIONS }));
  return {
    groups: [...known, ...others],
    /** Whether groups are missing that are on their way. */
    isLoading: me === undefined || (maySeeGroups && groups.isPending),
    /** Whether there may be groups that the caller may not know. */
    isComplete: maySeeGroups && !groups.isError,
    own: String(me?.group.public_id ?? ""),
    error: groups.error,
  };
}
