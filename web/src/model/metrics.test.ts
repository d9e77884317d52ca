import { expect, test } from "vitest";
import { figuresOf, samplesOf } from "./metrics";

const TEXT = `# TYPE stockroom_http_requests_total counter
stockroom_http_requests_total{method="GET",route="/rest/types",status="200"} 7
stockroom_http_requests_total{method="GET",route="/rest/\\"x\\"",status="503"} 1

stockroom_http_request_seconds_sum{method="GET"} 0.4
process_resident_memory_bytes 2097152
stockroom_store_queue_depth{queue="read"} 2
stockroom_store_queue_depth{queue="write"} 0
`;

test("samples have names, labels and values", () => {
  const samples = samplesOf(TEXT);
  expect(samples).toHaveLength(6);
  expect(samples[0]?.labels).toEqual({ method: "GET", route: "/rest/types", status: "200" });
  expect(samplesOf("<!doctype html>\n<p>no metrics</p>")).toEqual([]);
});

test("figures are sums, and what is missing is not told", () => {
  const figures = figuresOf(samplesOf(TEXT));
  expect(figures.requests).toBe(8);
  expect(figures.failures).toBe(1);
  expect(figures.meanSeconds).toBeCloseTo(0.05);
  expect(figures.memoryBytes).toBe(2 * 1024 * 1024);
  expect(figures.waitingReads).toBe(2);
  expect(figures.waitingWrites).toBe(0);
  expect(figures.backupTime).toBeUndefined();
});
