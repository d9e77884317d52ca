import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeObject, createObject } from "~/api/objects";
import { Problem, problemOf } from "~/api/problem";
import { meQuery, nativeObjectQuery } from "~/api/queries";
import type { InventoryObject, ObjectField, ObjectType } from "~/api/types";
import { sayFailure } from "~/kit/Toasts";
import { changedFields, faultsByField, merge, type Values, valuesOf } from "~/model/draft";
import { fieldsOf } from "~/model/object";

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
  const before = base?.values ?? initial;
  const isChanged = changedFields(before, values).length > 0;

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
    const sent = fieldsOf(type).map(({ name }) => ({ name, value: values.get(name) ?? null }));
    return send(sent, () => createObject(type.public_id, user.public_id, sent as ObjectField[]));
  };

  /** Nothing if there are conflicts, which the form now shows. */
  const change = async (known: Base): Promise<InventoryObject | undefined> => {
    let current = known;
    let wanted = values;
    for (let attempt = 0; attempt < MERGES; attempt += 1) {
      const sent = changedFields(current.values, wanted);
      try {
        return await send(sent, () =>
          changeObject(current.id, sent as ObjectField[], current.revision),
        );
      } catch (error) {
        if (problemOf(error).status !== 412) throw error;
      }
      const read = await queries.fetchQuery({ ...nativeObjectQuery(current.id), staleTime: 0 });
      const theirs = valuesOf(read.data);
      const merged = merge(current.values, wanted, theirs);
      current = { id: current.id, values: theirs, revision: read.revision };
      wanted = merged.values;
      setBase(current);
      setValues(wanted);
      setConflicts(merged.conflicts);
      if (merged.conflicts.size > 0) return undefined;
    }
    throw new Problem(412, undefined);
  };

  const send = async (
    sent: readonly { name: string }[],
    write: () => Promise<{ object: InventoryObject; warnings: readonly string[] }>,
  ) => {
    try {
      const { object, warnings } = await write();
      for (const warning of warnings) sayFailure(warning);
      return object;
    } catch (error) {
      setFaults(faultsByField(problemOf(error).faults, sent));
      throw error;
    }
  };

  /** The saved object; nothing if the form shows why it could not be saved. */
  const save = async (): Promise<InventoryObject | undefined> => {
    if (isSaving || conflicts.size > 0) return undefined;
    setIsSaving(true);
    setFaults(new Map());
    setProblem(undefined);
    try {
      const saved = base ? await change(base) : await create();
      if (saved) await invalidate(saved.public_id);
      return saved;
    } catch (error) {
      setProblem(problemOf(error));
      return undefined;
    } finally {
      setIsSaving(false);
    }
  };

  const invalidate = (id: number) =>
    Promise.all(
      [["objects"], ["object", id], ["counts"]].map((queryKey) =>
        queries.invalidateQueries({ queryKey, refetchType: "none" }),
      ),
    );

  return { values, set, faults, conflicts, resolve, problem, isSaving, isChanged, save };
}

function without<T>(all: ReadonlyMap<string, T>, name: string): ReadonlyMap<string, T> {
  if (!all.has(name)) return all;
  const rest = new Map(all);
  rest.delete(name);
  return rest;
}
