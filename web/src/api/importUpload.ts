/** Sends files. */
import { parseJson } from "~/model/json";
import { dataOf, nextRequestId, serverUrl } from "./client";
import type { Import } from "./records";

/** How to read a file; what is empty is detected. */
export interface ReadingOptions {
  format: string;
  separator: string;
  encoding: string;
  sheet: string;
  header: boolean;
  /** The number of the row that names the columns. */
  headerRow: string;
}

export const DETECTED: ReadingOptions = {
  format: "",
  separator: "",
  encoding: "",
  sheet: "",
  header: true,
  headerRow: "",
};

export interface ImportFile {
  name: string;
  content: Blob;
}

interface Upload extends ImportFile {
  options: ReadingOptions;
  /** How much was sent, from 0 to 1. */
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

/** `fetch` cannot tell how much it has sent, so this is an older kind of request. */
export function uploadImport({ name, content, options, onProgress, signal }: Upload) {
  const url = new URL("rest/imports", serverUrl);
  url.searchParams.set("file_name", name);
  for (const key of ["format", "separator", "encoding", "sheet"] as const) {
    if (options[key]) url.searchParams.set(key, options[key]);
  }
  if (!options.header) url.searchParams.set("header", "false");
  else if (options.headerRow) url.searchParams.set("header_row", options.headerRow);
  const answer = new Promise<{ data?: unknown; error?: unknown; response: Response }>(
    (resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", url);
      request.setRequestHeader("content-type", "application/octet-stream");
      request.setRequestHeader("x-request-id", nextRequestId());
      request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
      request.onload = () => {
        const { status, responseText } = request;
        const read = parse(responseText);
        const response = new Response(null, { status });
        resolve(response.ok ? { data: read, response } : { error: read, response });
      };
      request.onerror = () => reject(new TypeError("no answer"));
      request.onabort = () => reject(new DOMException("stopped", "AbortError"));
      signal.addEventListener("abort", () => request.abort());
      request.send(content);
    },
  );
  return dataOf(answer).then((data) => (data as { result: Import }).result);
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
