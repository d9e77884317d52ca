import { expect, test } from "vitest";
import { isAddress } from "./address";

test.each([
  ["00:1b:44:11:3a:b7", true],
  ["00-1B-44-11-3A-B7", true],
  ["10.0.12.7", true],
  ["10.0.12.0/24", true],
  ["fe80::1", true],
  ["::ffff:10.0.12.7/96", true],
  ["2001:db8::/32", true],
  ["::", true],
  ["", false],
  ["server-12", false],
  ["12:30", false],
  ["1.2::", false],
  ["std::vector", false],
])("%s is an address: %s", (text, expected) => {
  expect(isAddress(text)).toBe(expected);
});

test("a long text takes no time", () => {
  const begin = performance.now();
  expect(isAddress(`${":".repeat(1_000_000)}x`)).toBe(false);
  expect(performance.now() - begin).toBeLessThan(50);
});
