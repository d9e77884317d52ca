import { expect, test } from "vitest";
import { qrDrawing } from "./qr";

/** The code of HELLO, level M, which other programs read. */
const HELLO = `
.........................
.........................
..#######...###.#######..
..#.....#....#..#.....#..
..#.###.#.#.#.#.#.###.#..
..#.###.#.#..##.#.###.#..
..#.###.#.#####.#.###.#..
..#.....#.##..#.#.....#..
..#######.#.#.#.#######..
..........#..##..........
..#.#####.....#.#####....
......#..###..#..#.####..
..##..####...#.#..##..#..
....##.....#.....##......
......####..##.#..#.#....
..........#.#####..#.##..
..#######.....#.##..#.#..
..#.....#.#######..#..#..
..#.###.#.#.#.#..#..#....
..#.###.#.#...#..#..#....
..#.###.#.#..#.#..#.#....
..#.....#...#....##.#.#..
..#######.#.##.#..#.#....
.........................
.........................`;

/** Draws a path as text. */
function drawn(path: string, size: number): string {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => "."));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    rows[Number(y)]?.fill("#", Number(x), Number(x) + Number(width));
  }
  return rows.map((row) => `\n${row.join("")}`).join("");
}

test("a text becomes the modules that readers know", () => {
  const { size, path } = qrDrawing("HELLO");
  expect(drawn(path, size)).toBe(HELLO);
});

test("a longer address needs a larger code", () => {
  const address = "https://stockroom.example.org/inventory/objects/1234567";
  expect(qrDrawing(address).size).toBe(17 + 4 * 4 + 4);
});
