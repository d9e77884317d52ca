/** Patterns of texts, tried in the browser. The server has another engine and the last word. */

export interface PatternTest {
  result: "matches" | "differs" | "unreadable";
  /** The server may see this pattern in another way. */
  isUncertain: boolean;
}

/** Inline flags, classes and anchors that the server knows and browsers do not, or not like it. */
const SERVER_ONLY =
  /\(\?[a-zA-Z^-]+[:)]|\\[AzZGhHRKQEX]|\(\?[>P|#]|[*+?}]\+|\[\[:|&&|\(\?<?[=!]|\\\d/;

/** Whether the whole text matches. */
export function testPattern(pattern: string, text: string): PatternTest {
  const isUncertain = SERVER_ONLY.test(pattern);
  const whole = `^(?:${pattern})$`;
  const expression = compiled(pattern, "u") && compiled(whole, "u");
  const other = expression ?? (compiled(pattern, "") && compiled(whole, ""));
  if (!other) return { result: "unreadable", isUncertain: true };
  return {
    result: other.test(text) ? "matches" : "differs",
    isUncertain: isUncertain || !expression,
  };
}

function compiled(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}
