/** What the server refused, by the members of the body that was sent. */

/** Faults by the names of members; what is about none of them is below an empty name. */
export function faultsByMember(
  faults: readonly { pointer: string; detail: string }[],
  members: readonly string[],
): Map<string, string> {
  const byMember = new Map<string, string>();
  for (const { pointer, detail } of faults) {
    const named = pointer.split("/")[1] ?? "";
    const member = members.includes(named) ? named : "";
    byMember.set(member, [byMember.get(member), detail].filter(Boolean).join(" "));
  }
  return byMember;
}
