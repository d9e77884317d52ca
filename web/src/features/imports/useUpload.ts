import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { deleteImport, importKeys } from "~/api/imports";
import { type ImportFile, type ReadingOptions, uploadImport } from "~/api/importUpload";
import { remember } from "./files";

interface Upload {
  name: string;
  /** How much was sent, from 0 to 1. */
  progress: number;
}

/** Sends a file and opens its import, which may take the place of another one. */
export function useUpload(type: number | undefined, replaced?: number) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [upload, setUpload] = useState<Upload>();
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (file: ImportFile, options: ReadingOptions) => {
    const stop = new AbortController();
    running.current = stop;
    const { name } = file;
    setError(undefined);
    setUpload({ name, progress: 0 });
    try {
      const onProgress = (progress: number) => setUpload({ name, progress });
      const { id } = await uploadImport({ ...file, options, onProgress, signal: stop.signal });
      remember(id, file);
      // The file was read in the wrong way: nobody needs that any more.
      if (replaced !== undefined) await deleteImport(replaced).catch(() => undefined);
      void queries.invalidateQueries({ queryKey: importKeys.all });
      await navigate({
        to: "/imports/$id",
        params: { id: String(id) },
        search: type === undefined ? {} : { type },
        replace: replaced !== undefined,
      });
    } catch (failure) {
      if (!stop.signal.aborted) setError(failure);
    } finally {
      setUpload(undefined);
    }
  };
  return {
    upload,
    error,
    send: (file: ImportFile, options: ReadingOptions) => void send(file, options),
    stop: () => running.current?.abort(),
  };
}
