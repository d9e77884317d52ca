import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Versioned } from "~/api/client";
import { problemOf } from "~/api/problem";
import { faultsByMember } from "~/model/faults";

interface FormOptions<Draft, Variables, Data> {
  initial: Draft;
  /** The members of the body whose faults the form shows at fields. */
  members?: readonly string[];
  mutation: UseMutationOptions<Data, Error, Variables>;
  /** What is sent of a draft. */
  variables: (draft: Draft) => Variables;
  onSaved?: (data: Data, draft: Draft) => unknown;
  /** Once what the write made old has been read again. */
  onSettled?: (data: Data) => unknown;
}

/** What somebody types, until the server takes it; its faults by the members of the body. */
export function useForm<Draft extends object, Variables, Data>({
  initial,
  members = [],
  mutation,
  variables,
  onSaved,
  onSettled,
}: FormOptions<Draft, Variables, Data>) {
  const [draft, setDraft] = useState(initial);
  const save = useMutation({
    ...mutation,
    onSuccess: (data) => onSaved?.(data, draft),
    onSettled: (data, error) => (error || data === undefined ? undefined : onSettled?.(data)),
  });
  const error = save.isError ? problemOf(save.error) : undefined;
  const faults = faultsByMember(error?.faults ?? [], members);
  const isStale = error?.status === 412;
  const isAtFields = faults.size > 0 && !faults.has("");
  return {
    draft,
    /** Changes members of the draft. */
    set: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })),
    /** Begins anew with another draft. */
    reset: setDraft,
    submit: (event?: FormEvent) => {
      event?.preventDefault();
      save.mutate(variables(draft));
    },
    isPending: save.isPending,
    data: save.data,
    faults,
    error,
    /** What no field shows. */
    problem: isStale || isAtFields ? undefined : error,
    /** Somebody else changed the record meanwhile. */
    isStale,
  };
}

interface RecordOptions<Item, Draft, Variables, Data extends Versioned<Item>>
  extends Pick<FormOptions<Draft, Variables, Data>, "members" | "mutation" | "onSettled"> {
  /** Nothing for a new one. */
  record: Item | undefined;
  revision: string | undefined;
  draftOf: (record: Item | undefined) => Draft;
  /** What is sent of a draft that began with a record. */
  variables: (draft: Draft, base: Base<Item>) => Variables;
  onSaved?: (data: Data, base: Base<Item>) => unknown;
}

interface Base<Item> {
  record: Item | undefined;
  revision: string | undefined;
}

/** A form of a stored record. What is typed stays, whatever the server tells meanwhile. */
export function useRecordForm<Item, Draft extends object, Variables, Data extends Versioned<Item>>({
  record,
  revision,
  draftOf,
  variables,
  onSaved,
  ...options
}: RecordOptions<Item, Draft, Variables, Data>) {
  const [base, setBase] = useState<Base<Item>>({ record, revision });
  const [seen, setSeen] = useState(revision);
  const form = useForm({
    ...options,
    initial: draftOf(record),
    variables: (draft) => variables(draft, base),
    onSaved: (data) => {
      onSaved?.(data, base);
      begin({ record: data.data, revision: data.revision });
    },
  });
  const begin = (next: Base<Item>) => {
    setBase(next);
    form.reset(draftOf(next.record));
  };
  if (revision !== seen) {
    setSeen(revision);
    const isTouched = JSON.stringify(form.draft) !== JSON.stringify(draftOf(base.record));
    if (!isTouched) begin({ record, revision });
  }
  return { ...form, base };
}
