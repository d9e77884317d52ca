import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reference } from "./reference";
import { kindOf } from "./registry";
import { text } from "./text";

const field = (type: string, ref_types?: number[]) => ({ type, name: "a", label: "A", ref_types });

test("a kind that is not known acts as a text", () => {
  expect(kindOf(field("something-new"))).toBe(text);
});

test("a field with types that it may refer to is a reference", () => {
  expect(kindOf(field("something-new", [1]))).toBe(reference);
});

test("only the registry knows the names of kinds", () => {
  const comparison =
    /(\.type\s*===?|case)\s*"(text|textarea|password|radio|select|checkbox|date|ref|number)"/;
  const root = join(import.meta.dirname, "..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(30);
  const guilty = files.filter((name) => comparison.test(readFileSync(join(root, name), "utf8")));
  expect(guilty).toEqual([]);
});
