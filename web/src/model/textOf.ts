import { BigInteger } from "./json";

/** Any value as text: where a type does not know the field, anything may stand. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  const isNested = typeof value === "object" && !(value instanceof BigInteger);
  return isNested ? JSON.stringify(value) : String(value);
}
