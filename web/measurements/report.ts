/** A Markdown table of what was measured. */

export interface Figure {
  name: string;
  /** In milliseconds. */
  samples: readonly number[];
}

export function report(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, samples }) => {
    const sorted = samples.toSorted((left, right) => left - right);
    const values = [0.5, 0.95, 1].map((share) => `${Math.round(at(sorted, share))} ms`);
    return `| ${name} | ${samples.length} | ${values.join(" | ")} |`;
  });
  return ["| what | samples | p50 | p95 | max |", "|---|--:|--:|--:|--:|", ...rows].join("\n");
}

/** The smallest value that this share of all values does not exceed. */
function at(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
