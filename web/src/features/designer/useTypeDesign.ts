import { useRef, useState } from "react";
import type { Versioned } from "~/api/client";
import { createType, replaceType, type WrittenType } from "~/api/objectTypes";
import { Problem, problemOf } from "~/api/problem";
import type { FieldDefinition, ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { bodyOf, draftOf, storedDraft, type TypeDraft, unstored } from "~/model/typeDraft";
import { emptyChoices, NO_FAULTS, typeFaults } from "~/model/typeFaults";
import { useDraft } from "./useDraft";

/** A type to design: a stored one has an id and a revision. */
export interface Origin {
  id: number | undefined;
  type: ObjectType;
  revision: string;
}

const CHANGED_MEANWHILE = 412;

/** A draft with what the server said of it. */
export function useTypeDesign(origin: Origin) {
  const [revision, setRevision] = useState(origin.revision);
  const drafts = useDraft(firstDraft(origin));
  const [problem, setProblem] = useState<Problem>();
  const [faults, setFaults] = useState(NO_FAULTS);
  const [warnings, setWarnings] = useState<WrittenType["warnings"]>([]);
  const [isSaving, setIsSaving] = useState(false);
  const { draft, reset } = drafts;
  const { texts } = useLocale();
  // A key pressed twice must not make two types.
  const isBusy = useRef(false);

  const take = (stored: Pick<Versioned<ObjectType>, "data" | "revision">, before?: TypeDraft) => {
    setRevision(stored.revision);
    setProblem(undefined);
    setFaults(NO_FAULTS);
    setWarnings([]);
    reset(before ? storedDraft(stored.data, before) : draftOf(stored.data));
  };
  /** Whether the draft can be stored; else it says what is missing. */
  const check = (): boolean => {
    const isChoice = (field: FieldDefinition) => kindOf(field).settings.options !== undefined;
    const lacking = emptyChoices(draft, isChoice, texts.designer.needsOption);
    if (lacking.length === 0) return true;
    const found = typeFaults(draft, lacking);
    const names = draft.fields.filter(({ key }) => found.fields.has(key));
    const list = names.map(({ definition }) => definition.label || definition.name).join(", ");
    setFaults(found);
    setProblem(new Problem(422, { title: "", detail: texts.designer.emptyChoices(list) }));
    return false;
  };
  const save = async (): Promise<WrittenType | undefined> => {
    if (isBusy.current) return undefined;
    isBusy.current = true;
    setIsSaving(true);
    try {
      const body = bodyOf(draft);
      const written =
        origin.id === undefined
          ? await createType(body)
          : await replaceType(origin.id, body, revision);
      take({ data: written.type, revision: written.revision }, draft);
      setWarnings(written.warnings);
      return written;
    } catch (error) {
      const refusal = problemOf(error);
      setProblem(refusal);
      setFaults(typeFaults(draft, refusal.faults));
      return undefined;
    } finally {
      isBusy.current = false;
      setIsSaving(false);
    }
  };
  return {
    ...drafts,
    revision,
    problem,
    faults,
    warnings,
    isSaving,
    check,
    isConflict: problem?.status === CHANGED_MEANWHILE,
    save,
    take,
    forgetProblem: () => setProblem(undefined),
  };
}

function firstDraft({ id, type }: Origin): TypeDraft {
  const draft = draftOf(type);
  return id === undefined ? unstored(draft) : draft;
}
