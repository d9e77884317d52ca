import { expect, test } from "vitest";
import { BigInteger, isBigInteger, parseJson } from "./json";

const BIG = "9007199254740993";

test("an integer that would be rounded keeps its digits", () => {
  const read = parseJson(`{"a": ${BIG}, "b": [-${BIG}1, 1.5], "c": 12}`);
  expect(read).toEqual({
    a: new BigInteger(BIG),
    b: [new BigInteger(`-${BIG}1`), 1.5],
    c: 12,
  });
  expect(String((read as { a: BigInteger }).a)).toBe(BIG);
});

test("digits in texts, fractions and powers stay what they are", () => {
  const text = `{"a": "${BIG}", "b": "x\\"${BIG}\\\\", "c": 0.1234567890123456789, "d": 1e20}`;
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test("an integer that fits is a number", () => {
  expect(parseJson(`[${Number.MAX_SAFE_INTEGER}, 1000000000000000]`)).toEqual([
    Number.MAX_SAFE_INTEGER,
    1_000_000_000_000_000,
  ]);
});

test("what is no JSON is an error", () => {
  expect(() => parseJson(`{"a": ${BIG}`)).toThrow(SyntaxError);
});

test("a big integer is never written as another number", () => {
  const written = JSON.stringify({ value: new BigInteger(BIG) });
  // Browsers write the number; Node.js 20 cannot.
  expect([`{"value":${BIG}}`, `{"value":"${BIG}"}`]).toContain(written);
});

test.each([
  [BIG, true],
  [`-${BIG}`, true],
  ["9007199254740991", false],
  ["12", false],
  [`0${BIG}`, false],
  [`${BIG}.5`, false],
  ["", false],
])("%s would be rounded: %s", (text, expected) => {
  expect(isBigInteger(text)).toBe(expected);
});
