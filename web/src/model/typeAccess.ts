/** The access list of a type that is being designed. */
import type { TypeDraft } from "./typeDraft";

export const PERMISSIONS = ["CREATE", "READ", "UPDATE", "DELETE"] as const;
export type Permission = (typeof PERMISSIONS)[number];

export function setActivated(draft: TypeDraft, activated: boolean): TypeDraft {
  const { type } = draft;
  return { ...draft, type: { ...type, acl: { ...type.acl, activated } } };
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
