/** Takes back what one request wrote. */
import { client, dataOf } from "./client";

export function undo(requestId: string): Promise<unknown> {
  const params = { path: { request_id: requestId } };
  return dataOf(client.POST("/rest/history/requests/{request_id}/revert", { params, body: {} }));
}
