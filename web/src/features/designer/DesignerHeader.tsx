import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Eye, MoreHorizontal, Redo2, Undo2 } from "lucide-react";
import { type Action, useActions } from "~/actions";
import { useUndoable } from "~/actions/useUndoable";
import { countsQuery } from "~/api/aggregates";
import { deleteType } from "~/api/objectTypes";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { may } from "~/model/rights";
import { bodyOf } from "~/model/typeDraft";
import { relabelType } from "~/model/typeEdit";
import { ActionMenu } from "~/ui/ActionMenu";
import { Button } from "~/ui/Button";
import { downloadJson } from "~/ui/download";
import { TextField } from "~/ui/TextField";
import { toastFailure } from "~/ui/Toasts";
import { TypeIcon } from "~/ui/TypeIcon";
import styles from "./DesignerHeader.module.css";
import type { Design } from "./design";
import type { useTypeDesign } from "./useTypeDesign";

interface Props {
  /** Nothing for a type that is not stored. */
  id: number | undefined;
  design: Design;
  types: ReturnType<typeof useTypeDesign>;
  mayWrite: boolean;
  onSave: () => void;
  onPreview: () => void;
}

/** The names of the type, and what can be done with it. */
export function DesignerHeader({ id, design, types, mayWrite, onSave, onPreview }: Props) {
  const { texts, number } = useLocale();
  const counts = useQuery(countsQuery).data;
  const { draft, change, faults } = design;
  const { name, label, render_meta } = draft.type;
  const isStored = id !== undefined;
  const count = counts && (counts.get(id ?? 0) ?? 0);
  const menu = useTypeActions(id, design, types.isChanged);
  const save: Action = { id: "save", label: texts.designer.save, keys: "mod+s", run: onSave };
  const canSave = mayWrite && !types.isSaving && (types.isChanged || !isStored);
  const [undo, redo] = useSteps(types);
  const steps = [...(types.canUndo ? [undo] : []), ...(types.canRedo ? [redo] : [])];
  useActions([...(canSave ? [save] : []), ...steps, ...menu]);
  return (
    <header className={styles.header}>
      <div className={styles.top}>
        <h1 className={styles.title}>
          <TypeIcon name={render_meta.icon} size={18} />
          {label || name || texts.designer.newType}
        </h1>
        {isStored && (
          <Link to="/objects" search={{ type: id }}>
            {count === undefined ? texts.allObjects : texts.objectsCount(count, number(count))}
          </Link>
        )}
        <div className={styles.actions}>
          {mayWrite && (
            <>
              <Button
                variant="quiet"
                aria-label={undo.label}
                isDisabled={!types.canUndo}
                onPress={undo.run}
              >
                <Undo2 size={16} aria-hidden="true" />
              </Button>
              <Button
                variant="quiet"
                aria-label={redo.label}
                isDisabled={!types.canRedo}
                onPress={redo.run}
              >
                <Redo2 size={16} aria-hidden="true" />
              </Button>
              {isStored && (
                <Button onPress={onPreview} isDisabled={!types.isChanged}>
                  <Eye size={14} aria-hidden="true" />
                  {texts.designer.preview}
                </Button>
              )}
              <Button variant="primary" onPress={onSave} isDisabled={!canSave}>
                {types.isSaving ? texts.designer.saving : texts.designer.save}
              </Button>
            </>
          )}
          <ActionMenu label={texts.designer.more} actions={menu}>
            <MoreHorizontal size={16} aria-hidden="true" />
          </ActionMenu>
        </div>
      </div>
      {mayWrite && (
        <div className={styles.names}>
          <TextField
            label={texts.designer.label}
            value={label}
            autoFocus={!isStored}
            error={faults.type.get("label")}
            onChange={(text) => change((before) => relabelType(before, text), "type/label")}
          />
          <TextField
            label={texts.designer.name}
            isRequired
            value={name}
            error={faults.type.get("name")}
            onChange={(text) =>
              change(
                ({ type, ...rest }) => ({ ...rest, type: { ...type, name: text } }),
                "type/name",
              )
            }
          />
        </div>
      )}
    </header>
  );
}

/** The way back through the steps of the draft, and forth again. */
function useSteps({ undo, redo }: Props["types"]): [Action, Action] {
  const { texts } = useLocale();
  const { undoStep, redoStep } = texts.designer;
  return [
    { id: "undo-step", label: undoStep, keys: "mod+z", leavesTexts: true, run: undo },
    { id: "redo-step", label: redoStep, keys: "mod+shift+z", leavesTexts: true, run: redo },
  ];
}

/** Copy, download and delete. */
function useTypeActions(id: number | undefined, { draft }: Design, isChanged: boolean): Action[] {
  const { texts } = useLocale();
  const me = useQuery(meQuery).data;
  const navigate = useNavigate();
  const undoable = useUndoable();
  const { name, label } = draft.type;
  const remove = async (type: number) => {
    try {
      const { requestId } = await deleteType(type);
      await navigate({ to: "/types", ignoreBlocker: true });
      await undoable(texts.designer.deleted(label || name), requestId);
    } catch (error) {
      toastFailure(error);
    }
  };
  const save = () => downloadJson(`${name || "type"}.json`, JSON.stringify(bodyOf(draft), null, 2));
  const actions: Action[] = [{ id: "download", label: texts.designer.download, run: save }];
  if (id === undefined) return actions;
  if (may(me, "base.framework.type.add") && !isChanged) {
    actions.push({
      id: "copy",
      label: texts.designer.copy,
      run: () => navigate({ to: "/types/new", search: { from: id } }),
    });
  }
  if (may(me, "base.framework.type.delete")) {
    actions.push({ id: "delete", label: texts.designer.delete, run: () => void remove(id) });
  }
  return actions;
}
