/** The files that this page has sent, so that they can be read again in another way. */
import type { Source } from "~/api/importUpload";

const sources = new Map<number, Source>();

export function remember(id: number, source: Source) {
  sources.set(id, source);
}

export function sourceOf(id: number): Source | undefined {
  return sources.get(id);
}
