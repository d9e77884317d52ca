/** What the caller may do. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { meQuery } from "~/api/session";

/** The names of all rights that the caller holds. */
export function useRights(): ReadonlySet<string> {
  const rights = useQuery(meQuery).data?.rights;
  return useMemo(() => new Set(rights), [rights]);
}
