import { expect, test } from "vitest";
import { screenOf } from "./useRowWindow";

const ROOM = 600;
const HEIGHT = 40;

test.each([
  [0, 10, { first: 0, last: 9, shift: 0, page: 15 }],
  [0, 1_000, { first: 0, last: 21, shift: 0, page: 15 }],
  [10 * HEIGHT, 1_000, { first: 3, last: 33, shift: 0, page: 15 }],
  [11 * HEIGHT, 1_000, { first: 3, last: 33, shift: 0, page: 15 }],
  [985 * HEIGHT, 1_000, { first: 978, last: 999, shift: 0, page: 15 }],
])("at %i pixels of %i rows", (scrollTop, count, screen) => {
  expect(screenOf({ scrollTop, room: ROOM, count, height: HEIGHT })).toEqual(screen);
});

test("the last row of a list that is too high for the browser is reached", () => {
  const count = 5_000_000;
  const end = screenOf({ scrollTop: 33_000_000 - ROOM, room: ROOM, count, height: HEIGHT });
  expect(end.last).toBe(count - 1);
  // The last row stands at the end of the element.
  expect(count * HEIGHT - end.shift).toBeCloseTo(33_000_000);
});
