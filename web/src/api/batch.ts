/** Several writes in one transaction. */

import { client, type Versioned, versionedOf } from "./client";
import { once } from "./once";
import type { Operation } from "./records";
import type { components } from "./schema";

/** All are done, or none. A fault's pointer begins with the operation's. */
export function batch(
  operations: Operation[],
): Promise<Versioned<components["schemas"]["BatchResults"]>> {
  const body = { operations };
  return once(body, (headers) => versionedOf(client.POST("/rest/batch", { body, headers })));
}
