/** The files that this page has sent, so that they can be read again in another way. */
import type { ImportFile } from "~/api/importUpload";

const files = new Map<number, ImportFile>();

export function remember(id: number, file: ImportFile) {
  files.set(id, file);
}

export function fileOf(id: number): ImportFile | undefined {
  return files.get(id);
}
