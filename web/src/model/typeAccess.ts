/** The access list of a type that is being designed. */
import type { RightName } from "~/api/records";
import { isCovered } from "./groupRights";
import type { TypeDraft } from "./typeDraft";

export const PERMISSIONS = ["CREATE", "READ", "UPDATE", "DELETE"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A group, and what its rights let it do with objects. */
export interface AccessGroup {
  id: string;
  label: string;
  may: readonly Permission[];
}

const RIGHTS: Record<Permission, RightName> = {
  CREATE: "base.framework.object.add",
  READ: "base.framework.object.view",
  UPDATE: "base.framework.object.edit",
  DELETE: "base.framework.object.delete",
};

/** What these rights, or masters of them, let a group do with objects. */
export function permittedBy(granted: readonly string[]): Permission[] {
  const rights = new Set(granted);
  return PERMISSIONS.filter((permission) => isCovered(RIGHTS[permission], rights));
}

/** An empty list would lock all groups out: it begins with what these may do already. */
export function setActivated(
  draft: TypeDraft,
  activated: boolean,
  groups: readonly AccessGroup[],
): TypeDraft {
  const { type } = draft;
  const next = { ...draft, type: { ...type, acl: { ...type.acl, activated } } };
  const isEmpty = Object.keys(type.acl.groups.includes ?? {}).length === 0;
  if (!activated || !isEmpty) return next;
  const grantAll = (before: TypeDraft, { id, may }: AccessGroup) =>
    may.reduce((sum, permission) => setGrant(sum, id, permission, true), before);
  return groups.reduce(grantAll, next);
}

/** The groups that may do less with objects by the second draft, and what that is. */
export function lostAccess(
  before: TypeDraft,
  after: TypeDraft,
  groups: readonly AccessGroup[],
): { label: string; lost: Permission[] }[] {
  return groups.flatMap(({ id, label, may }) => {
    const allowed = (draft: TypeDraft) =>
      may.filter((permission) => !draft.type.acl.activated || grants(draft, id, permission));
    const now = allowed(after);
    const lost = allowed(before).filter((permission) => !now.includes(permission));
    return lost.length > 0 ? [{ label, lost }] : [];
  });
}

export function grants(draft: TypeDraft, group: string, permission: Permission): boolean {
  return granted(draft, group).includes(permission);
}

/** A group without any permission is left out of the list. */
export function setGrant(
  draft: TypeDraft,
  group: string,
  permission: Permission,
  isGranted: boolean,
): TypeDraft {
  const { type } = draft;
  const before = granted(draft, group);
  const others = before.filter((other) => other !== permission);
  const { [group]: _, ...rest } = type.acl.groups.includes ?? {};
  const now = isGranted ? [...others, permission] : others;
  // Words that this release does not know stay, behind the known ones.
  const known = PERMISSIONS.filter((known) => now.includes(known));
  const list = [...known, ...now.filter((word) => !known.some((known) => known === word))];
  const includes = list.length ? { ...rest, [group]: list } : rest;
  const groups = { ...type.acl.groups, includes };
  return { ...draft, type: { ...type, acl: { ...type.acl, groups } } };
}

function granted(draft: TypeDraft, group: string): string[] {
  return draft.type.acl.groups.includes?.[group] ?? [];
}
