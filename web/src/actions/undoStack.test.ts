import { expect, test } from "vitest";
import { UndoStack } from "./undoStack";

/** A stack, and the requests that it reverted; each answers the id "not <request>". */
function stack() {
  const reverted: string[] = [];
  const undo = new UndoStack(async (request) => {
    reverted.push(request);
    if (request === "refused") throw new Error("was changed meanwhile");
    return `not ${request}`;
  });
  return { undo, reverted };
}

test("requests are taken back from the last one on, and done again in reverse", async () => {
  const { undo, reverted } = stack();
  undo.add("a");
  undo.add("b");
  // Keys that are pressed fast do not overtake each other.
  await Promise.all([undo.undo(), undo.undo(), undo.redo()]);
  expect(reverted).toEqual(["b", "a", "not a"]);
  expect(await undo.undo()).toBe(true);
  expect(reverted.at(-1)).toBe("not not a");
  expect(await undo.undo()).toBe(false);
});

test("a new write ends what could be done again", async () => {
  const { undo } = stack();
  undo.add("a");
  await undo.undo();
  undo.add("b");
  expect(await undo.redo()).toBe(false);
});

test("what was taken back by its message is not taken back twice", async () => {
  const { undo, reverted } = stack();
  undo.add("a");
  undo.add("b");
  await undo.undo("a");
  await undo.undo();
  expect(reverted).toEqual(["a", "b"]);
  expect(await undo.undo()).toBe(false);
});

test("what cannot be taken back does not bar the way to earlier writes", async () => {
  const { undo, reverted } = stack();
  undo.add("a");
  undo.add("refused");
  await expect(undo.undo()).rejects.toThrow("meanwhile");
  expect(await undo.undo()).toBe(true);
  expect(reverted).toEqual(["refused", "a"]);
});

test("a write that is on its way is the one that is taken back", async () => {
  const { undo, reverted } = stack();
  undo.add("a");
  let finish = () => {};
  undo.waitFor(new Promise<void>((resolve) => (finish = resolve)).then(() => undo.add("b")));
  const undone = undo.undo();
  finish();
  await undone;
  expect(reverted).toEqual(["b"]);
});
