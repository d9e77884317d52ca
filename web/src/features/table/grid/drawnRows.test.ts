import { expect, test } from "vitest";
import type { Row } from "~/model/row";
import { drawnRows } from "./drawnRows";

/** A list of objects by their ids. */
function list(...ids: number[]) {
  return (position: number) => {
    const id = ids[position];
    return id === undefined ? undefined : ({ id } as Row);
  };
}

const keysOf = (rows: ReturnType<typeof drawnRows>) => rows.map(({ key }) => key);

test("rows have the keys of their objects, and those on their way that of their position", () => {
  const rowAt = list(11, 12);
  const cursor = { row: 0, object: rowAt(0) };
  const rows = drawnRows({ screen: { first: 0, last: 2 }, cursor, count: 3, rowAt });
  expect(keysOf(rows)).toEqual(["object 11", "object 12", "row 2"]);
});

test("an object that is twice in the list has its key where the cursor is", () => {
  const rowAt = list(11, 12, 11);
  const screen = { first: 0, last: 2 };
  const above = drawnRows({ screen, cursor: { row: 0, object: rowAt(0) }, count: 3, rowAt });
  expect(keysOf(above)).toEqual(["object 11", "object 12", "row 2"]);
  const below = drawnRows({ screen, cursor: { row: 2, object: rowAt(2) }, count: 3, rowAt });
  expect(keysOf(below)).toEqual(["row 0", "object 12", "object 11"]);
});

test("the row of an object that is gone keeps its key", () => {
  const rowAt = (position: number) => (position === 1 ? undefined : list(11, 0, 13)(position));
  const cursor = { row: 1, object: list(12)(0) };
  const rows = drawnRows({ screen: { first: 0, last: 2 }, cursor, count: 3, rowAt });
  expect(keysOf(rows)).toEqual(["object 11", "object 12", "object 13"]);
});

test("the row of the cursor stays, also while the number of rows is older", () => {
  const rowAt = list(11, 12, 13, 14);
  const cursor = { row: 3, object: rowAt(3) };
  const screen = { first: 0, last: 1 };
  const positions = drawnRows({ screen, cursor, count: 3, rowAt }).map(({ index }) => index);
  expect(positions).toEqual([0, 1, 3]);
  const gone = { row: 7, object: undefined };
  expect(drawnRows({ screen, cursor: gone, count: 3, rowAt })).toHaveLength(2);
});
