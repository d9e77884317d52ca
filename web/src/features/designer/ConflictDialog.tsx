import { useQuery } from "@tanstack/react-query";
import type { Versioned } from "~/api/client";
import { typeQuery } from "~/api/definitions";
import type { ObjectType } from "~/api/types";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { editorOf } from "./useTypeDesign";

interface Props {
  id: number;
  onReload: (stored: Versioned<ObjectType>) => void;
  onClose: () => void;
}

/** Says who saved the type meanwhile, and offers what is stored now. */
export function ConflictDialog({ id, onReload, onClose }: Props) {
  const { texts, time } = useLocale();
  const found = useQuery({
    ...typeQuery(id),
    queryKey: ["type", id, "newest"],
    gcTime: 0,
  });
  const type = found.data?.data;
  const editor = useQuery({
    queryKey: ["type", id, "editor", type?.last_edit_time],
    queryFn: async () => (type && (await editorOf(type))) ?? texts.designer.somebody,
    enabled: type !== undefined,
  });
  const at = type && new Date(`${type.last_edit_time ?? type.creation_time}Z`);
  return (
    <Dialog
      title={texts.designer.conflictTitle}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{texts.designer.keepEditing}</Button>
          <Button
            variant="primary"
            isDisabled={!found.data}
            onPress={() => found.data && onReload(found.data)}
          >
            {texts.designer.reload}
          </Button>
        </>
      }
    >
      {found.error && <ProblemAlert error={found.error} />}
      {at && editor.data && <p>{texts.designer.conflict(editor.data, time(at))}</p>}
    </Dialog>
  );
}
