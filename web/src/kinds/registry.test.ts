import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { KindFacts } from "~/api/records";
import { password } from "./password";
import { reference } from "./reference";
import { kindNamed, kindOf, settingsOf } from "./registry";
import { text } from "./text";

const field = (type: string, ref_types?: number[]) => ({ type, name: "a", label: "A", ref_types });

test("a kind that is not known acts as a text", () => {
  expect(kindOf(field("something-new"))).toBe(text);
});

test("a field with types that it may refer to is a reference", () => {
  expect(kindOf(field("something-new", [1]))).toBe(reference);
});

test("a password with types that it may refer to stays a secret", () => {
  expect(kindOf(field("password", [1]))).toBe(password);
});

test("a kind that is named like a member of all objects acts as a text", () => {
  expect(kindOf(field("constructor"))).toBe(text);
});

test("definitions may set what the server says", () => {
  const file = join(import.meta.dirname, "../../../crates/http/src/openapi/examples.json");
  const examples = JSON.parse(readFileSync(file, "utf8"));
  const kinds: KindFacts[] = examples.list_kinds.response.kinds;
  expect(kinds.length).toBeGreaterThan(10);
  for (const { name, settings } of kinds) expect(settingsOf(kindNamed(name))).toEqual(settings);
});

test("only the registry knows the names of kinds", () => {
  const comparison =
    /(\.type\s*===?|case)\s*"(text|textarea|password|radio|select|checkbox|date|datetime|url|email|mac|ref|number)"/;
  expect(filesWith(comparison)).toEqual([]);
});

test("only kinds and one function tell references by their types", () => {
  const others = filesWith(/ref_types\??\.length/).filter((name) => !name.startsWith("kinds/"));
  expect(others).toEqual(["model/targets.ts"]);
});

function filesWith(pattern: RegExp): string[] {
  const root = join(import.meta.dirname, "..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(30);
  return files.filter((name) => pattern.test(readFileSync(join(root, name), "utf8")));
}
