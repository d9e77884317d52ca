import { useQueryClient } from "@tanstack/react-query";
import { MOST_OPTIONS, valuesQuery } from "~/api/aggregates";
import { useLocale } from "~/i18n";
import { kindNamed, SETTINGS } from "~/kinds/registry";
import type { DraftField } from "~/model/typeDraft";
import { changeField, fillOptions } from "~/model/typeEdit";
import { toast, toastFailure } from "~/ui/Toasts";
import type { Design } from "./design";

/** Gives a field another kind. A choice begins with the values that its objects have. */
export function useKindChange(design: Design, field: DraftField): (kind: string) => void {
  const { texts, number } = useLocale();
  const queries = useQueryClient();
  const { key, stored, definition } = field;
  // Both steps are undone together.
  const tag = `${key}/type`;
  const fill = async (kind: string, name: string) => {
    try {
      const values = await queries.fetchQuery(valuesQuery(design.draft.type.public_id, name));
      if (values === null) return toast(texts.designer.tooManyValues(number(MOST_OPTIONS)));
      if (values.length === 0) return;
      design.change((draft) => fillOptions(draft, key, kind, values), tag);
      toast(texts.designer.optionsMade(values.length, number(values.length)));
    } catch (error) {
      toastFailure(error);
    }
  };
  return (kind) => {
    const { settings } = kindNamed(kind);
    const gone = SETTINGS.filter((setting) => !settings[setting]);
    const without = Object.fromEntries(gone.map((setting) => [setting, undefined]));
    design.change((draft) => changeField(draft, key, { ...without, type: kind }), tag);
    const isChoice = settings.options !== undefined;
    if (isChoice && stored !== undefined && !definition.options?.length) void fill(kind, stored);
  };
}
