import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLatest } from "~/actions/useLatest";
import { countsKey } from "~/api/aggregates";
import { changeObject, createObject, nativeObjectQuery, objectKeys } from "~/api/objects";
import { type Problem, problemOf } from "~/api/problem";
import type { InventoryObject, ObjectField, ObjectType } from "~/api/records";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { kindOf } from "~/kinds/registry";
import { unfitText } from "~/kinds/unfit";
import { changedFields, faultsByField, merge, type Values, valuesOf } from "~/model/draft";
import { fieldsOf } from "~/model/object";
import { toastFailure } from "~/ui/Toasts";

/** The object as the form knows it. */
export interface Base {
  id: number;
  values: Values;
  revision: string;
}

/** Others may change an object again and again while it is saved. */
const MERGES = 5;

/** The values of a form, and how they are saved. Nothing that was typed is ever lost. */
export function useObjectForm(type: ObjectType, initialBase: Base | undefined, initial: Values) {
  const queries = useQueryClient();
  const [base, setBase] = useState(initialBase);
  const [values, setValues] = useState(initial);
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const [conflicts, setConflicts] = useState<Values>(new Map());
  const [problem, setProblem] = useState<Problem>();
  const [isSaving, setIsSaving] = useState(false);
  const { texts } = useLocale();
  const fields = fieldsOf(type);
  const isField = (name: string) => fields.some((field) => field.name === name);
  const before = base?.values ?? initial;
  const changed = changedFields(before, values);
  const isChanged = changed.length > 0;
  const gone = changed.filter(({ name }) => !isField(name));

  const set = (name: string, value: unknown) => {
    setValues((all) => new Map(all).set(name, value));
    setFaults((all) => without(all, name));
    setProblem(undefined);
  };

  const resolve = (name: string, takesTheirs: boolean) => {
    if (takesTheirs) set(name, conflicts.get(name));
    setConflicts((all) => without(all, name));
  };

  const create = async (): Promise<InventoryObject> => {
    const { user } = await queries.ensureQueryData(meQuery);
    const sent = fields.map((field) => ({
      name: field.name,
      value: values.get(field.name) ?? (field.required ? kindOf(field).untouched : null) ?? null,
    }));
    return send(sent, () => createObject(type.public_id, user.public_id, sent as ObjectField[]));
  };

  /** Nothing if there are conflicts, which the form now shows. */
  const change = async (
    from: Base,
    wanted: Values,
    attempts: number,
  ): Promise<InventoryObject | undefined> => {
    const sent = changedFields(from.values, wanted).filter(({ name }) => isField(name));
    try {
      return await send(sent, () => changeObject(from.id, sent as ObjectField[], from.revision));
    } catch (error) {
      if (problemOf(error).status !== 412 || attempts === 1) throw error;
    }
    const { next, merged } = await join(from, wanted);
    return merged.conflicts.size > 0 ? undefined : change(next, merged.values, attempts - 1);
  };

  /** Joins what is wanted with what others have made of the object. */
  const join = async (from: Base, wanted: Values) => {
    const read = await queries.fetchQuery({ ...nativeObjectQuery(from.id), staleTime: 0 });
    const theirs = valuesOf(read.data);
    const merged = merge(from.values, wanted, theirs);
    // Nobody can decide about what is not on the screen.
    const conflicts = new Map([...merged.conflicts].filter(([name]) => isField(name)));
    const next = { id: from.id, values: theirs, revision: read.revision };
    setBase(next);
    setValues(merged.values);
    setConflicts(conflicts);
    return { next, merged: { ...merged, conflicts } };
  };
  // A new definition may have moved values to other fields.
  const definition = JSON.stringify(type.fields);
  const known = useRef(definition);
  const latest = useLatest(() => base && join(base, values).catch(() => undefined));
  useEffect(() => {
    if (known.current === definition) return;
    known.current = definition;
    void latest.current();
  }, [definition, latest]);

  const send = async (
    sent: readonly { name: string }[],
    write: () => Promise<{ object: InventoryObject; warnings: readonly string[] }>,
  ) => {
    const { object, warnings } = await write().catch((error: unknown) => {
      setFaults(faultsByField(problemOf(error).faults, sent));
      throw error;
    });
    for (const warning of warnings) toastFailure(warning);
    return object;
  };

  /** The saved object; nothing if the form shows why it could not be saved. */
  const save = async (): Promise<InventoryObject | undefined> => {
    if (isSaving || conflicts.size > 0) return undefined;
    const unfit = changed.flatMap(({ name, value }) => {
      const field = fields.find((other) => other.name === name);
      const text = field && unfitText(field, value, texts);
      return text === undefined ? [] : [[name, text] as const];
    });
    if (unfit.length > 0) {
      setFaults(new Map(unfit));
      return undefined;
    }
    setIsSaving(true);
    setFaults(new Map());
    setProblem(undefined);
    const saved = await (base ? change(base, values, MERGES) : create()).catch((error: unknown) => {
      setProblem(problemOf(error));
      return undefined;
    });
    if (saved) await invalidate(saved.public_id);
    setIsSaving(false);
    return saved;
  };

  const invalidate = (id: number) =>
    Promise.all(
      [objectKeys.lists, objectKeys.one(id), countsKey].map((queryKey) =>
        queries.invalidateQueries({ queryKey, refetchType: "none" }),
      ),
    );

  return { values, set, faults, conflicts, resolve, problem, isSaving, isChanged, gone, save };
}

function without<T>(all: ReadonlyMap<string, T>, name: string): ReadonlyMap<string, T> {
  if (!all.has(name)) return all;
  const rest = new Map(all);
  rest.delete(name);
  return rest;
}
