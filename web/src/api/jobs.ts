/** Changes of many objects. */
import { client, dataOf } from "./client";
import { once } from "./once";
import type { ObjectJob, ObjectJobBody } from "./records";

/** What a job would do, without doing it. */
export async function tryJob(body: ObjectJobBody): Promise<ObjectJob> {
  const params = { query: { dry_run: true } };
  return (await dataOf(client.POST("/rest/objects/jobs", { params, body }))).result;
}

const PAUSE_MS = 300;

/** Runs a job, and tells how far it is. It goes on if the page is left. */
export async function runJob(
  body: ObjectJobBody,
  onProgress: (job: ObjectJob) => void,
): Promise<ObjectJob> {
  const { result } = await once(body, (headers) =>
    dataOf(client.POST("/rest/objects/jobs", { body, headers })),
  );
  let job = result;
  while (job.state === "running") {
    onProgress(job);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const params = { path: { public_id: job.id } };
    job = (await dataOf(client.GET("/rest/objects/jobs/{public_id}", { params }))).result;
  }
  return job;
}
