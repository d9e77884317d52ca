import { useQuery } from "@tanstack/react-query";
import { typesQuery } from "~/api/objectTypes";
import type { Token } from "~/api/records";
import { useLocale } from "~/i18n";

/** What a token may do, in words. */
export function useLimits({ read_only, rights, types, networks }: Token) {
  const { texts } = useLocale();
  const known = useQuery(typesQuery).data;
  const typeName = (id: number) => known?.find(({ public_id }) => public_id === id)?.label;
  const access = rights?.join(", ") ?? texts.tokens.everything;
  return {
    access: read_only ? `${texts.tokens.readOnly} · ${access}` : access,
    types: types?.map((id) => typeName(id) ?? `#${id}`).join(", ") ?? texts.tokens.allTypes,
    networks: networks?.join(", ") ?? texts.tokens.anywhere,
  };
}
