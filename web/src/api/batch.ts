/** Several writes in one transaction. */

import { client, type Versioned, versionedOf } from "./client";
import type { Operation } from "./records";
import type { components } from "./schema";

/** All are done, or none. A fault's pointer begins with the operation's. */
export function batch(
  operations: Operation[],
): Promise<Versioned<components["schemas"]["BatchResults"]>> {
  return versionedOf(client.POST("/rest/batch", { body: { operations } }));
}
