/** Where the columns of a file go: what a person chooses, and what the server is told. */
import type {
  FieldDefinition,
  ImportPlan,
  ImportPolicy,
  ImportRunBody,
  ObjectType,
} from "~/api/records";

/** Where a column goes: the name of a field, `public_id` or `active`. */
export interface Goal {
  target: string;
  /** The field by which a reference names its object; without it, that is the id. */
  by?: string;
  /** Other fields that tell the object, and the columns with their values. */
  others?: readonly OtherField[];
  /** The types of these objects, if the field takes any. */
  types?: readonly number[];
  /** What happens to values that do not fit, which no screen asks for. */
  rest?: Readonly<Record<string, unknown>>;
}

/** The members of `rest`. */
const REST = ["else", "dates", "optional"];

export interface OtherField {
  field: string;
  column: string;
}

/** By the names of columns; those that go nowhere are missing. */
export type Goals = ReadonlyMap<string, Goal>;

export interface Mapping {
  goals: Goals;
  /** The targets by which an object is found. */
  key: readonly string[];
  policy: ImportPolicy;
}

export const PUBLIC_ID = "public_id";
export const ACTIVE = "active";

/** The column of our own files that says why a row was refused. */
export const PROBLEM_COLUMN = "import_problem";

/** The policies, those that write the most first. */
export const POLICIES: readonly ImportPolicy[] = ["skip", "all", "stop"];

/** A plan of the server. */
export function mappingOf(plan: ImportPlan, policy: ImportPolicy = plan.policy): Mapping {
  const goals = new Map(
    Object.entries(plan.columns).flatMap(([column, value]) => {
      const goal = goalOf(column, value);
      return goal ? [[column, goal] as const] : [];
    }),
  );
  return { goals, key: [...plan.key], policy };
}

function goalOf(column: string, value: unknown): Goal | undefined {
  if (typeof value === "string") return { target: value };
  if (typeof value !== "object" || value === null) return undefined;
  const { field, by, types } = value as { field?: unknown; by?: unknown; types?: unknown };
  if (typeof field !== "string") return undefined;
  return {
    target: field,
    ...wayOf(column, by),
    ...(Array.isArray(types) ? { types: types.map(Number) } : {}),
    ...restOf(value),
  };
}

function restOf(value: object): Pick<Goal, "rest"> {
  const rest = Object.entries(value).filter(([name]) => REST.includes(name));
  return rest.length ? { rest: Object.fromEntries(rest) } : {};
}

/** How a column names an object: by a field, or by several that have a column each. */
function wayOf(column: string, by: unknown): Pick<Goal, "by" | "others"> {
  if (typeof by === "string") return { by };
  if (typeof by !== "object" || by === null) return {};
  const parts = Object.entries(by).map(([field, from]) => ({ field, column: String(from) }));
  const own = parts.find((part) => part.column === column);
  if (own === undefined) return {};
  return { by: own.field, others: parts.filter((part) => part !== own) };
}

/** The body of a run. */
export function runBody(mapping: Mapping, type: number, isDry: boolean): ImportRunBody {
  const columns = [...mapping.goals].map(([column, goal]) => [column, sentGoal(column, goal)]);
  return {
    type_id: type,
    columns: Object.fromEntries(columns),
    key: [...mapping.key],
    policy: mapping.policy,
    dry_run: isDry,
  };
}

function sentGoal(own: string, { target, by, others, types, rest }: Goal): unknown {
  if (by === undefined) {
    // An id is no text to keep.
    const { else: _, ...left } = rest ?? {};
    return Object.keys(left).length ? { field: target, ...left } : target;
  }
  const fields = others?.map(({ field, column }) => [field, column]) ?? [];
  const way = fields.length ? Object.fromEntries([[by, own], ...fields]) : by;
  return { field: target, by: way, ...(types?.length ? { types } : {}), ...rest };
}

/** Sends a column somewhere, or nowhere. A target takes one column: the last one wins. */
export function withGoal(mapping: Mapping, column: string, goal: Goal | undefined): Mapping {
  const others = [...mapping.goals].filter(
    ([name, { target }]) => name !== column && target !== goal?.target,
  );
  const goals = new Map(goal ? [...others, [column, goal] as const] : others);
  const reached = new Set([...goals.values()].map(({ target }) => target));
  return { ...mapping, goals, key: mapping.key.filter((target) => reached.has(target)) };
}

/** Switches a part of the key on or off. The id finds its object alone. */
export function withKey(mapping: Mapping, target: string, isPart: boolean): Mapping {
  const others = mapping.key.filter((part) => part !== target && part !== PUBLIC_ID);
  if (!isPart) return { ...mapping, key: others };
  return { ...mapping, key: target === PUBLIC_ID ? [PUBLIC_ID] : [...others, target] };
}

/** The targets that a key can have. */
export function keyTargets(mapping: Mapping): string[] {
  return [...mapping.goals.values()]
    .map(({ target }) => target)
    .filter((target) => target !== ACTIVE);
}

/** The columns that say nothing. That of our own problems never does. */
export function unusedColumns(mapping: Mapping, columns: readonly string[]): string[] {
  const telling = [...mapping.goals.values()].flatMap(({ others }) => others ?? []);
  const used = new Set([...mapping.goals.keys(), ...telling.map(({ column }) => column)]);
  return columns.filter((name) => !used.has(name) && name !== PROBLEM_COLUMN);
}

/** The required fields that new objects would lack. */
export function lackingFields(mapping: Mapping, type: ObjectType): FieldDefinition[] {
  const reached = new Set([...mapping.goals.values()].map(({ target }) => target));
  return (type.fields ?? []).filter(
    (field) => field.required && !reached.has(field.name) && isEmpty(field.value ?? field.default),
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** The fields by which a reference can name its object: those of the types, each name once. */
export function namingFields(types: readonly ObjectType[]): FieldDefinition[] {
  const byName = new Map<string, FieldDefinition>();
  for (const field of types.flatMap(({ fields }) => fields ?? [])) {
    if (!byName.has(field.name)) byName.set(field.name, field);
  }
  return [...byName.values()];
}

/** Where a column goes first if a person chooses a reference: by id only if it has numbers. */
export function referenceGoal(
  field: FieldDefinition,
  looks: string | undefined,
  types: readonly ObjectType[],
): Goal {
  const target = field.name;
  if (looks === "integer") return { target };
  const targets = (field.ref_types ?? []).flatMap(
    (id) => types.find(({ public_id }) => public_id === id) ?? [],
  );
  const by = targets
    .map((type) => type.render_meta.summary.fields?.[0])
    .find((name) => name !== undefined);
  return by === undefined
    ? { target }
    : { target, by, types: targets.map((type) => type.public_id) };
}
