/** A token that is being made. */
import type { TokenBody } from "~/api/records";

export interface TokenDraft {
  name: string;
  /** The last day; empty for none. */
  expires: string;
  readOnly: boolean;
  /** Nothing means no limit. */
  rights: readonly string[];
  types: readonly string[];
  /** One on each line. */
  networks: string;
}

export const NO_TOKEN: TokenDraft = {
  name: "",
  expires: "",
  readOnly: false,
  rights: [],
  types: [],
  networks: "",
};

/** The draft as the API takes it. */
export function tokenBody(draft: TokenDraft): TokenBody {
  const networks = draft.networks.split(/[\s,]+/).filter((network) => network !== "");
  return {
    name: draft.name,
    read_only: draft.readOnly,
    // It works until the end of its last day.
    ...(draft.expires === "" ? {} : { expires_at: `${draft.expires}T23:59:59` }),
    ...(draft.rights.length > 0 ? { rights: [...draft.rights] } : {}),
    ...(draft.types.length > 0 ? { types: draft.types.map(Number) } : {}),
    ...(networks.length > 0 ? { networks } : {}),
  };
}
