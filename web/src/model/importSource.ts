/** Sources beside the mapping of an import. */
import type {
  ImportPlan,
  ImportPolicy,
  ImportRunBody,
  MissingPolicy,
  Source,
  SourceBody,
} from "~/api/records";
import { type Mapping, mappingOf, runBody } from "./importMapping";

/** What happens to missing records, the mildest first. */
export const MISSING_POLICIES: readonly MissingPolicy[] = ["keep", "flag", "deactivate", "delete"];

/** The sources whose columns a file has. */
export function fittingSources(sources: readonly Source[], columns: readonly string[]): Source[] {
  const has = new Set(columns);
  return sources.filter((source) =>
    [...Object.keys(source.columns), ...source.external_key].every((name) => has.has(name)),
  );
}

/** The body of a run by a source. */
export function sourceRun(id: number, isDry: boolean): ImportRunBody {
  return { source: id, dry_run: isDry };
}

/** The body of a run like the one before. A source decides on the policy itself. */
export function runAgain(plan: ImportPlan, policy: ImportPolicy, isDry: boolean): ImportRunBody {
  if (plan.source) return sourceRun(plan.source.public_id, isDry);
  return runBody({ ...mappingOf(plan), policy }, plan.type_id, isDry);
}

/** What a person says of a new source, beside its mapping. */
export interface SourceDraft {
  name: string;
  externalKey: readonly string[];
  missing: MissingPolicy;
  limit: string;
}

export const NEW_SOURCE: SourceDraft = { name: "", externalKey: [], missing: "flag", limit: "20" };

/** The members that a draft says. Without an external key, nothing can be missing. */
export function draftBody(draft: SourceDraft) {
  const tracks = draft.externalKey.length > 0;
  return {
    name: draft.name,
    external_key: [...draft.externalKey],
    missing: tracks ? draft.missing : ("keep" as const),
    missing_limit: sentLimit(draft.limit),
  };
}

/** What is no number is sent as it is: the server says what is wrong with it. */
function sentLimit(limit: string): number {
  const isNumber = /^\d+$/.test(limit.trim());
  return isNumber ? Number(limit) : (limit as unknown as number);
}

/** The body of a source with the mapping of an import. */
export function sourceBody(draft: SourceDraft, mapping: Mapping, type: number): SourceBody {
  const { columns, key, policy } = runBody(mapping, type, false);
  return {
    type_id: type,
    columns: columns ?? {},
    key: key ?? [],
    policy: policy ?? "stop",
    ...draftBody(draft),
  };
}
