/** What the caller may do. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RightName } from "~/api/records";
import { meQuery } from "~/api/session";
import type { Rights } from "~/model/rights";

/** The names of all rights that the caller holds. */
export function useRights(): Rights {
  const rights = useQuery(meQuery).data?.rights;
  return useMemo(() => new Set(rights as RightName[] | undefined), [rights]);
}
