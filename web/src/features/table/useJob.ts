import { useState } from "react";
import { useUndoable } from "~/actions/useUndoable";
import { runJob } from "~/api/jobs";
import type { ObjectJob, ObjectJobBody } from "~/api/records";
import { useLocale } from "~/i18n";
import { toastFailure } from "~/ui/Toasts";

/** How many refused objects a message names. */
const REFUSED_SHOWN = 3;

/** Runs a change of many objects; it can be undone as a whole. */
export function useJob(onDone: () => void) {
  const { texts, number } = useLocale();
  const undoable = useUndoable();
  const [progress, setProgress] = useState<ObjectJob>();
  const start = async (body: ObjectJobBody) => {
    try {
      const job = await runJob(body, setProgress);
      if (job.error) toastFailure(job.error);
      for (const { public_id, detail } of job.failed.slice(0, REFUSED_SHOWN)) {
        toastFailure(texts.table.refused(String(public_id), detail));
      }
      const text = texts.table.jobDone(number(job.changed), number(job.failed_total));
      // What changed nothing leaves the selection for another attempt, and nothing to undo.
      if (job.changed === 0 && job.failed_total > 0) return toastFailure(text);
      onDone();
      await undoable(text, job.request_id);
    } catch (error) {
      toastFailure(error);
    } finally {
      setProgress(undefined);
    }
  };
  return { progress, run: (body: ObjectJobBody) => void start(body) };
}
