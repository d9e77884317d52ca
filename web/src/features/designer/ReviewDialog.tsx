import { useQuery } from "@tanstack/react-query";
import { typePreviewQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import { lostAccess } from "~/model/typeAccess";
import { riskyChanges } from "~/model/typeChanges";
import { bodyOf, type TypeDraft } from "~/model/typeDraft";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { LostAccess } from "./LostAccess";
import { PreviewResult } from "./PreviewResult";
import styles from "./ReviewDialog.module.css";
import { useAccessGroups } from "./useAccessGroups";

interface Props {
  id: number;
  base: TypeDraft;
  draft: TypeDraft;
  onClose: () => void;
  onSave: () => void;
}

/** What a change does to the objects, before it is saved. */
export function ReviewDialog({ id, base, draft, onClose, onSave }: Props) {
  const { texts, number } = useLocale();
  const preview = useQuery(typePreviewQuery(id, bodyOf(draft)));
  const changes = riskyChanges(base, draft);
  const { groups, isComplete } = useAccessGroups(base, draft);
  const lost = lostAccess(base, draft, groups);
  const isNewList = draft.type.acl.activated && !base.type.acl.activated;
  const isRefused = (preview.data?.refused.length ?? 0) > 0;
  return (
    <Dialog
      title={texts.designer.reviewTitle}
      isOpen
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{texts.designer.back}</Button>
          <Button variant="primary" onPress={onSave} isDisabled={!preview.data || isRefused}>
            {texts.designer.save}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {preview.data && (
          <p>{texts.designer.reviewIntro(preview.data.objects, number(preview.data.objects))}</p>
        )}
        <LostAccess lost={lost} hidesOthers={isNewList && !isComplete} />
        {changes.length > 0 ? (
          <ul className={styles.changes}>
            {changes.map(({ what, name, label, after }) => (
              <li key={`${name}/${what}`}>{texts.designer.changes[what](label, after)}</li>
            ))}
          </ul>
        ) : (
          <p>{texts.designer.reviewNothing}</p>
        )}
        {preview.error && <ProblemAlert error={preview.error} onRetry={() => preview.refetch()} />}
        {preview.isPending && <p className={styles.soft}>{texts.loading}</p>}
        {preview.data && <PreviewResult preview={preview.data} />}
      </div>
    </Dialog>
  );
}
