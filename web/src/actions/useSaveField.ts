import { useQueryClient } from "@tanstack/react-query";
import { FieldConflict, type FieldEdit, saveField } from "~/api/fieldEdits";
import { objectKeys } from "~/api/objects";
import type { FieldDefinition } from "~/api/records";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { beginning } from "~/model/beginning";
import { fieldValue } from "~/model/object";
import { toast, toastFailure } from "~/ui/Toasts";
import { useUndoable } from "./useUndoable";

/** A message has no room for more of a value. */
const MOST_LETTERS = 200;

/**
 * Saves one field, and answers what is stored now, as far as the screen may know. Throws a
 * `Problem` if the server refuses the value.
 */
export function useSaveField() {
  const queries = useQueryClient();
  const undoable = useUndoable();
  const { texts } = useLocale();
  const save = async (edit: FieldEdit, field: FieldDefinition): Promise<unknown> => {
    try {
      const { object, warnings, requestId } = await saveField(edit);
      for (const warning of warnings) toastFailure(warning);
      await undoable(texts.fieldSaved(field.label || field.name), requestId);
      return fieldValue(object, edit.name);
    } catch (error) {
      if (!(error instanceof FieldConflict)) throw error;
      // What was typed is kept by the message until somebody decides.
      const { theirs } = error;
      const text = texts.fieldConflict(
        field.label || field.name,
        beginning(kindOf(field).format(theirs, field), MOST_LETTERS) || texts.none,
      );
      toast(text, {
        label: texts.form.keepMine,
        run: () => void save({ ...edit, before: theirs }, field),
      });
      await queries.invalidateQueries({ queryKey: objectKeys.lists });
      await queries.invalidateQueries({ queryKey: objectKeys.one(edit.id) });
      return edit.before;
    }
  };
  return save;
}
