import { expect, test } from "vitest";
import { code128 } from "./code128";

test("a text becomes the bars that readers know", () => {
  const code = code128("A1");
  expect(code?.width).toBe(57);
  const drawn = Array.from({ length: 57 }, () => ".");
  for (const { x, width } of code?.bars ?? []) drawn.fill("#", x, x + width);
  expect(drawn.join("")).toBe(
    // Start B, A, 1, the checksum, and stop.
    ["##.#..#....", "#.#...##...", "#..###..##.", "#....#..##.", "##...###.#.##"].join(""),
  );
});

test("characters that the code does not have make no barcode", () => {
  expect(code128("")).toBeUndefined();
  expect(code128("Größe")).toBeUndefined();
  expect(code128("a\nb")).toBeUndefined();
  expect(code128("~ !")?.width).toBe(6 * 11 + 13 - 11);
});
