/** Figures of the server, from the text format of Prometheus. */

export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** All samples of a text; lines that are none are left out. */
export function samplesOf(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const [, name, labels, value] = LINE.exec(line) ?? [];
    if (name === undefined || Number.isNaN(Number(value))) return [];
    const pairs = [...(labels ?? "").matchAll(LABEL)].map(([, key, text]) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** What the page of the system shows; nothing where the server does not tell it. */
export interface Figures {
  memoryBytes: number | undefined;
  threads: number | undefined;
  connections: number | undefined;
  requests: number | undefined;
  failures: number | undefined;
  meanSeconds: number | undefined;
  waitingReads: number | undefined;
  waitingWrites: number | undefined;
  backupTime: number | undefined;
  backupBytes: number | undefined;
  backupFailures: number | undefined;
}

export function figuresOf(samples: readonly Sample[]): Figures {
  const sum = (name: string, matches: (labels: Sample["labels"]) => boolean = () => true) => {
    const found = samples.filter((sample) => sample.name === name && matches(sample.labels));
    if (found.length === 0) return undefined;
    return found.reduce((total, { value }) => total + value, 0);
  };
  const queue = (kind: string) => sum("stockroom_store_queue_depth", ({ queue }) => queue === kind);
  const requests = sum("stockroom_http_requests_total");
  const seconds = sum("stockroom_http_request_seconds_sum");
  const isFailure = ({ status }: Sample["labels"]) => status?.startsWith("5") ?? false;
  return {
    memoryBytes: sum("process_resident_memory_bytes"),
    threads: sum("process_threads"),
    connections: sum("stockroom_connections"),
    requests,
    // A server without failures has no such sample.
    failures: requests && (sum("stockroom_http_requests_total", isFailure) ?? 0),
    meanSeconds: requests && seconds !== undefined ? seconds / requests : undefined,
    waitingReads: queue("read"),
    waitingWrites: queue("write"),
    backupTime: sum("stockroom_backup_last_success_timestamp_seconds"),
    backupBytes: sum("stockroom_backup_bytes"),
    backupFailures: sum("stockroom_backup_failures_total"),
  };
}
