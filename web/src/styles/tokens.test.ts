import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SHEETS = Object.keys(import.meta.glob("/src/**/*.css"));
const SPACING = /^\s*((?:margin|padding|(?:row-|column-)?gap)[a-z-]*):\s*([^;]+);/gm;
const TOKEN = /--space-\w+/g;
const DEFINED = new Set(read("/src/styles/tokens.css").match(TOKEN));

function read(path: string): string {
  return readFileSync(new URL(`../..${path}`, import.meta.url), "utf8");
}

/** Printed labels are measured in millimetres. */
function isBare(spacing: string): boolean {
  return /\d(px|rem|em)\b/.test(spacing);
}

function hasUnknownToken(spacing: string): boolean {
  return (spacing.match(TOKEN) ?? []).some((name) => !DEFINED.has(name));
}

test.each(SHEETS)("spacing in %s comes from the tokens", (path) => {
  const spacings = [...read(path).matchAll(SPACING)].map(([text]) => text.trim());
  expect(spacings.filter((text) => isBare(text) || hasUnknownToken(text))).toEqual([]);
});
