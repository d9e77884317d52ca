import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("only the files of the resources know keys", () => {
  const root = join(import.meta.dirname, "..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.tsx?$/.test(name) && !name.startsWith("api/"),
  );
  expect(files.length).toBeGreaterThan(30);
  const guilty = files.filter((name) =>
    /(queryKey: \[|useQuery\(\{\s*queryKey)/.test(readFileSync(join(root, name), "utf8")),
  );
  expect(guilty).toEqual([]);
});
