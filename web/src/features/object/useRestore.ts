import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useUndoable } from "~/actions/useUndoable";
import { type Restoration, restoreObject } from "~/api/objectHistory";
import { nativeObjectQuery } from "~/api/objects";
import { type Conflict, problemOf } from "~/api/problem";
import { useLocale } from "~/i18n";
import { toast, toastFailure } from "~/ui/Toasts";

/** What to restore, and what to say once it is done. */
export interface Wish extends Restoration {
  done: string;
}

export interface Restore {
  run: (wish: Wish) => void;
  isBusy: boolean;
  /** What the server refused, because these later changes would be overwritten. */
  refused: (Wish & { conflicts: readonly Conflict[] }) | undefined;
  /** Overwrites the later changes. */
  force: () => void;
  cancel: () => void;
}

/** Restores states of an object; what later changes it would overwrite is asked first. */
export function useRestore(id: number, isDeleted: boolean, onDone?: () => void): Restore {
  const { texts } = useLocale();
  const undoable = useUndoable();
  const present = useQuery({ ...nativeObjectQuery(id), enabled: !isDeleted }).data;
  const [refused, setRefused] = useState<Restore["refused"]>();
  const [isBusy, setIsBusy] = useState(false);
  const run = async ({ done, ...restoration }: Wish, force: boolean) => {
    setIsBusy(true);
    try {
      const restored = await restoreObject(id, restoration, force);
      setRefused(undefined);
      for (const warning of restored.warnings) toastFailure(warning);
      if (restored.revision === present?.revision) toast(texts.timeline.nothingToRestore);
      else await undoable(done, restored.requestId);
      onDone?.();
    } catch (error) {
      const { conflicts } = problemOf(error);
      if (conflicts.length > 0 && !force) setRefused({ ...restoration, done, conflicts });
      else toastFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return {
    run: (wish) => void run(wish, false),
    isBusy,
    refused,
    force: () => refused && void run(wishOf(refused), true),
    cancel: () => setRefused(undefined),
  };
}

function wishOf({ conflicts: _, ...wish }: NonNullable<Restore["refused"]>): Wish {
  return wish;
}
