import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("the type of rights names those of the API's document", () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
  const me = JSON.parse(read("../../../docs/openapi.json")).paths["/rest/auth/me"].get;
  const { rights } = me.responses["200"].content["application/json"].example;
  const named = [...read("rightNames.ts").matchAll(/"(base\.[^"]+)"/g)].map(([, name]) => name);
  expect(named).toEqual([...rights].sort());
});
