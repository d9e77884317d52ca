/** JSON without loss: JavaScript rounds integers beyond 2^53, which the API keeps exactly. */

/** An integer that no number of JavaScript holds. */
export class BigInteger {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  /** As a number, or as a text where the browser cannot write it: never as another number. */
  toJSON(): unknown {
    return rawJson?.(this.digits) ?? this.digits;
  }
}

/** The types of the language do not know it yet. */
const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;

const MANY_DIGITS = /\d{16}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** No text begins with it, because nobody can know it. */
const MARK = [...crypto.getRandomValues(new Uint32Array(4))].join(" ");

/** Reads JSON; integers that would be rounded become `BigInteger`s. */
export function parseJson(text: string): unknown {
  // Few answers have such numbers, and only those are read twice.
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    isBigInteger(token) ? `"${MARK}${token}"` : token,
  );
  if (marked === text) return JSON.parse(text);
  return JSON.parse(marked, (_, value) =>
    typeof value === "string" && value.startsWith(MARK)
      ? new BigInteger(value.slice(MARK.length))
      : value,
  );
}

/** Whether a text is a whole number that JavaScript would round. */
export function isBigInteger(text: string): boolean {
  return INTEGER.test(text) && !Number.isSafeInteger(Number(text));
}

const INTEGER = /^-?[1-9]\d{0,99}$/;
