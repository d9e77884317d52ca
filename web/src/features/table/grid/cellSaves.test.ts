import { expect, test } from "vitest";
import { CellSaves } from "./cellSaves";

/** A stored value that only changes if it is what the writer says, and only when it is let. */
function cell(stored: unknown) {
  const waiting: (() => void)[] = [];
  const write = async (before: unknown, after: unknown) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    if (before !== state.stored) throw new Error(`conflict: it is ${state.stored}`);
    if (after === "refused") throw new Error("refused");
    state.stored = after;
    return after;
  };
  const state = { stored, write, writes: () => waiting.length };
  const letNext = async () => {
    while (waiting.length === 0) await Promise.resolve();
    waiting.shift()?.();
  };
  return { state, letNext };
}

test("an edit that overlaps another one replaces what that one writes", async () => {
  const { state, letNext } = cell("old");
  const saves = new CellSaves();
  // The screen still shows the old value when the second edit begins.
  const first = saves.save("1/name", saves.stored("1/name", "old"), "first", state.write);
  const second = saves.save("1/name", saves.stored("1/name", "old"), "second", state.write);
  await letNext();
  await letNext();
  expect(await first).toEqual({ isLast: false });
  expect(await second).toEqual({ isLast: true });
  expect(state.stored).toBe("second");
});

test("the value before is written again if an edit is on its way", async () => {
  const { state, letNext } = cell("old");
  const saves = new CellSaves();
  const first = saves.save("1/name", saves.stored("1/name", "old"), "first", state.write);
  const back = saves.save("1/name", saves.stored("1/name", "old"), "old", state.write);
  await letNext();
  await letNext();
  await Promise.all([first, back]);
  expect(state.stored).toBe("old");
});

test("after a refused edit, the next one begins from what is stored", async () => {
  const { state, letNext } = cell("old");
  const saves = new CellSaves();
  const first = saves.save("1/name", saves.stored("1/name", "old"), "refused", state.write);
  const second = saves.save("1/name", saves.stored("1/name", "old"), "second", state.write);
  await letNext();
  await letNext();
  expect((await first).error).toEqual(new Error("refused"));
  expect(await second).toEqual({ isLast: true });
  expect(state.stored).toBe("second");
});

test("what is not changed is not written", async () => {
  const { state } = cell(null);
  const saves = new CellSaves();
  expect(await saves.save("1/name", saves.stored("1/name", null), undefined, state.write)).toEqual({
    isLast: true,
  });
  expect(state.writes()).toBe(0);
});

test("an edit that began before another one was saved replaces what that one left", async () => {
  const { state, letNext } = cell("old");
  const saves = new CellSaves();
  const first = saves.save("1/name", saves.stored("1/name", "old"), "first", state.write);
  // The screen still shows the old value.
  const begun = saves.stored("1/name", "old");
  await letNext();
  await first;
  const second = saves.save("1/name", begun, "second", state.write);
  await letNext();
  expect(await second).toEqual({ isLast: true });
  expect(state.stored).toBe("second");
});
