import { useQuery } from "@tanstack/react-query";
import type { Versioned } from "~/api/client";
import { newestTypeQuery } from "~/api/objectTypes";
import type { ObjectType } from "~/api/records";
import { userNameQuery } from "~/api/users";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";

interface Props {
  id: number;
  onReload: (stored: Versioned<ObjectType>) => void;
  onClose: () => void;
}

/** Says who saved the type meanwhile, and offers what is stored now. */
export function ConflictDialog({ id, onReload, onClose }: Props) {
  const { texts, time } = useLocale();
  const found = useQuery(newestTypeQuery(id));
  const type = found.data?.data;
  const editor = useQuery({
    ...userNameQuery(type?.editor_id ?? type?.author_id ?? 0),
    enabled: type !== undefined,
  }).data;
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
      {at && editor !== undefined && (
        <p>{texts.designer.conflict(editor ?? texts.designer.somebody, time(at))}</p>
      )}
    </Dialog>
  );
}
