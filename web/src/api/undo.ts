/** Takes back what one request wrote. */
import { client, versionedOf } from "./client";

/** The id of the request that took it back: to undo that does it again. */
export async function undo(requestId: string): Promise<string> {
  const params = { path: { request_id: requestId } };
  const path = "/rest/history/requests/{request_id}/revert";
  return (await versionedOf(client.POST(path, { params, body: {} }))).requestId;
}
