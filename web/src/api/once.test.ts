import { expect, test } from "vitest";
import { once } from "./once";
import { Problem } from "./problem";

const BODY = { name: "a" };

/** Sends the body, and answers the key that it was sent with. */
async function keyOf(answer: () => unknown): Promise<string | undefined> {
  let key: string | undefined;
  const send = async (headers: Record<string, string>) => {
    key = headers["Idempotency-Key"];
    return answer();
  };
  await once(BODY, send).catch(() => undefined);
  return key;
}

const isLost = () => {
  throw new TypeError("Failed to fetch");
};
const isRefused = () => {
  throw new Problem(400, undefined);
};

test("a write without an answer keeps its key until it gets one", async () => {
  const first = await keyOf(isLost);
  expect(await keyOf(isLost)).toBe(first);
  expect(await keyOf(isRefused)).toBe(first);
  expect(await keyOf(() => "done")).not.toBe(first);
});

test("two writes alike are two", async () => {
  const first = await keyOf(() => "done");
  expect(await keyOf(() => "done")).not.toBe(first);
});
