/** What a search found. */
import type { SearchResult } from "~/api/records";

/** The screen of a found record. */
export function linkOf({ kind, public_id }: SearchResult) {
  const params = { id: String(public_id) };
  switch (kind) {
    case "object":
      return { to: "/objects/$id", params } as const;
    case "type":
      return { to: "/objects", search: { type: public_id } } as const;
    case "category":
      return { to: "/admin/categories" } as const;
    case "user":
      return { to: "/admin/users/$id", params } as const;
    case "group":
      return { to: "/admin/groups/$id", params } as const;
  }
}

/** Whether there is something to search for: the server refuses a text of signs alone. */
export function isSearchable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
