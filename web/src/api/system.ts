/** How the server is. The operator may offer these on another address only. */
import { queryOptions } from "@tanstack/react-query";
import { type Figures, figuresOf, samplesOf } from "~/model/metrics";
import { client, dataOf, serverUrl } from "./client";
import { Problem } from "./problem";

const REFRESH_MS = 10_000;

/** Whether something answers; `elsewhere` if this address does not offer it. */
export type Health = "well" | "ill" | "elsewhere";

async function probe(path: string, signal: AbortSignal): Promise<Health> {
  const { ok, status } = await fetch(new URL(path, serverUrl), { signal });
  if (ok) return "well";
  return status === 404 ? "elsewhere" : "ill";
}

export const healthQuery = queryOptions({
  queryKey: ["system", "health"],
  queryFn: async ({ signal }) => {
    const [process, database] = await Promise.all([
      probe("healthz", signal),
      probe("readyz", signal),
    ]);
    return { process, database };
  },
  refetchInterval: REFRESH_MS,
});

/** Null if this address does not offer them. */
export const figuresQuery = queryOptions({
  queryKey: ["system", "figures"],
  queryFn: async ({ signal }): Promise<Figures | null> => {
    const answer = await fetch(new URL("metrics", serverUrl), { signal });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Problem(answer.status, undefined);
    return figuresOf(samplesOf(await answer.text()));
  },
  refetchInterval: REFRESH_MS,
});

/** Asks for a backup in the directory of the server, which makes it in the background. */
export async function requestBackup() {
  await dataOf(client.POST("/rest/backups"));
}
