import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isOperator, OPERATORS, readings } from "./operators";

test("an address may name operators of the table only", () => {
  expect(isOperator("one-of")).toBe(true);
  expect(isOperator("constructor")).toBe(false);
  expect(isOperator(undefined)).toBe(false);
});

test.each(Object.entries(OPERATORS))("%s reads what it writes", (operator, { arity, write }) => {
  const value = { none: "", one: "a.b", several: "a\nb" }[arity];
  const { "fields.a": wanted = null } = write("fields.a", value) as Record<string, never>;
  expect(readings(wanted)).toContainEqual({ operator, value });
});

test("only the table tells operators apart", () => {
  const comparison = /operator\w*\s*[!=]==|(operators?\.includes\(|case )"(is|contains|empty)/i;
  const root = join(import.meta.dirname, "../..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(30);
  const guilty = files.filter((name) => comparison.test(readFileSync(join(root, name), "utf8")));
  expect(guilty).toEqual([]);
});
