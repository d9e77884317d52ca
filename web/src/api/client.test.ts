import { expect, test } from "vitest";
import { isOwnRequest, nextRequestId } from "./client";

test("a tab knows its own requests, whose ids the server accepts", () => {
  const [first, second] = [nextRequestId(), nextRequestId()];
  expect(first).not.toBe(second);
  expect(first).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
  expect(isOwnRequest(first)).toBe(true);
  expect(isOwnRequest("42715a08dd3b08b3")).toBe(false);
  expect(isOwnRequest("import")).toBe(false);
});
