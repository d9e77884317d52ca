import { useQueryClient } from "@tanstack/react-query";
import { FieldConflict, type FieldEdit, saveField } from "~/api/fieldEdits";
import type { FieldDefinition } from "~/api/types";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { say, sayFailure } from "~/kit/Toasts";
import { useUndoable } from "./useUndoable";

/** Saves one field; throws a `Problem` if the server refuses the value. */
export function useSaveField() {
  const queries = useQueryClient();
  const undoable = useUndoable();
  const { texts } = useLocale();
  const save = async (edit: FieldEdit, field: FieldDefinition): Promise<void> => {
    try {
      const { warnings, requestId } = await saveField(edit);
      for (const warning of warnings) sayFailure(warning);
      await undoable(texts.fieldSaved(field.label || field.name), requestId);
    } catch (error) {
      if (!(error instanceof FieldConflict)) throw error;
      // What was typed is kept by the message until somebody decides.
      const { theirs } = error;
      const text = texts.fieldConflict(
        field.label || field.name,
        kindOf(field).format(theirs, field) || texts.none,
      );
      say(text, {
        label: texts.form.keepMine,
        run: () => void save({ ...edit, before: theirs }, field),
      });
      await queries.invalidateQueries({ queryKey: ["objects"] });
      await queries.invalidateQueries({ queryKey: ["object", edit.id] });
    }
  };
  return save;
}
