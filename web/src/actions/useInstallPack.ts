import { useQuery } from "@tanstack/react-query";
import { batch } from "~/api/batch";
import { categoriesQuery } from "~/api/categories";
import { typesQuery } from "~/api/objectTypes";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { type Pack, planOf } from "~/model/pack";
import { toast } from "~/ui/Toasts";
import { useUndoable } from "./useUndoable";

/** Adds the types of a pack that do not exist yet: all of them or none, with one undo. */
export function useInstallPack() {
  const { texts, language } = useLocale();
  const me = useQuery(meQuery).data;
  const types = useQuery(typesQuery).data;
  const categories = useQuery(categoriesQuery).data;
  const undoable = useUndoable();
  const isReady = me !== undefined && types !== undefined && categories !== undefined;
  const install = async (pack: Pack, said: (added: string[]) => string): Promise<string[]> => {
    if (!isReady) return [];
    const plan = planOf(pack, { types, categories }, me.user.public_id, language);
    const { added, skipped } = plan;
    if (added.length === 0) {
      toast(texts.designer.allExist);
      return added;
    }
    const { requestId } = await batch(plan.operations);
    if (skipped.length > 0) toast(texts.designer.skipped(skipped.join(", ")));
    await undoable(said(added), requestId);
    return added;
  };
  return { install, isReady };
}
