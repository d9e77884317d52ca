/** Writes that are done once, also if their answers are lost and people try again. */
import { nextRequestId } from "./client";
import { problemOf } from "./problem";

/** The ids of requests that got no answer, by what they write. */
const unanswered = new Map<string, string>();

/**
 * Sends a write with these headers. If the same one got no answer before, the server tells by them
 * whether it is done already.
 */
export async function once<T>(
  write: unknown,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const text = JSON.stringify(write);
  const id = unanswered.get(text) ?? nextRequestId();
  unanswered.delete(text);
  try {
    return await send({ "X-Request-Id": id, "Idempotency-Key": id });
  } catch (error) {
    if (problemOf(error).status === 0) unanswered.set(text, id);
    throw error;
  }
}
