import { expect, test } from "vitest";
import { testPattern } from "./pattern";

test.each([
  ["[a-z]+-[0-9]{2}", "web-01", "matches", false],
  ["[a-z]+-[0-9]{2}", "web-01x", "differs", false],
  ["a|b", "ab", "differs", false],
  ["A\\d{6}", "A123456", "matches", false],
  ["[A-Z\\-]+", "A-B", "matches", false],
  ["a)(b", "ab", "unreadable", true],
  ["((", "(", "unreadable", true],
  ["(?i)abc", "ABC", "unreadable", true],
  ["a++", "aa", "unreadable", true],
  ["(?<=a)b", "b", "differs", true],
  ["😀.", "😀😀", "matches", false],
])("%s on %s", (pattern, text, result, isUncertain) => {
  expect(testPattern(pattern, text)).toEqual({ result, isUncertain });
});
