import { useForm } from "~/actions/useForm";
import { useUndoToast } from "~/actions/useUndoable";
import { saveCategoryMutation } from "~/api/categories";
import type { Category } from "~/api/records";
import { useLocale } from "~/i18n";
import { childrenOf, endOrder, withDescendants } from "~/model/categories";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { IconPicker } from "~/ui/IconPicker";
import { Select } from "~/ui/Select";
import { TextField } from "~/ui/TextField";
import styles from "./categories.module.css";
import { TypeChecklist } from "./TypeChecklist";

interface Props {
  /** Nothing for a new category. */
  category?: Category;
  /** Where a new category goes. */
  parent?: number | null;
  categories: readonly Category[];
  onClose: () => void;
}

const TOP = "top";

/** The name, place and types of a category. */
export function CategoryDialog({ category, parent = null, categories, onClose }: Props) {
  const { texts } = useLocale();
  const toastDone = useUndoToast();
  const form = useForm({
    initial: {
      name: category?.name ?? "",
      label: category?.label ?? "",
      icon: category?.meta.icon ?? "",
      parent: category ? category.parent : parent,
      types: category?.types ?? [],
    },
    members: ["name", "label", "parent"],
    mutation: saveCategoryMutation,
    variables: (draft) => {
      const { icon, ...members } = { ...draft, label: draft.label || null };
      const isPlaced = category && category.parent === draft.parent;
      const order = endOrder(categories, draft.parent);
      const body = { ...members, meta: { icon, ...(isPlaced ? {} : { order }) } };
      return { id: category?.public_id, body };
    },
    onSaved: ({ data, requestId }) => {
      const { saved, created } = texts.categories;
      toastDone((category ? saved : created)(data.label || data.name), requestId);
      onClose();
    },
  });
  const { draft, faults, problem, set } = form;
  const own = category ? withDescendants(categories, category.public_id) : new Set<number>();
  const title = category
    ? texts.categories.edit(category.label || category.name)
    : texts.categories.newCategory;
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      alert={problem && <ProblemAlert error={problem} />}
      actions={
        <>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button variant="primary" isPending={form.isPending} onPress={() => form.submit()}>
            {texts.form.save}
          </Button>
        </>
      }
    >
      <form className={styles.form} onSubmit={form.submit} noValidate>
        <TextField
          label={texts.categories.name}
          hint={category ? undefined : texts.categories.nameHint}
          value={draft.name}
          onChange={(name) => set({ name })}
          error={faults.get("name")}
          isRequired
          autoFocus
          autoComplete="off"
        />
        <TextField
          label={texts.categories.label}
          hint={category ? undefined : texts.categories.labelHint}
          value={draft.label}
          onChange={(label) => set({ label })}
          error={faults.get("label")}
          autoComplete="off"
        />
        <Select
          label={texts.categories.parent}
          options={[
            { id: TOP, label: texts.categories.top },
            ...placesOf(categories, null, own, ""),
          ]}
          value={draft.parent === null ? TOP : String(draft.parent)}
          onChange={(id) => set({ parent: id === TOP ? null : Number(id) })}
          error={faults.get("parent")}
        />
        <TypeChecklist value={draft.types} onChange={(types) => set({ types })} />
        <IconPicker
          label={texts.categories.icon}
          value={draft.icon}
          onChange={(icon) => set({ icon })}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

/** Categories by their paths, without those that a category cannot go below. */
function placesOf(
  categories: readonly Category[],
  parent: number | null,
  without: ReadonlySet<number>,
  path: string,
): { id: string; label: string }[] {
  return childrenOf(categories, parent)
    .filter(({ public_id }) => !without.has(public_id))
    .flatMap(({ public_id, label, name }) => {
      const place = `${path}${label || name}`;
      const below = placesOf(categories, public_id, without, `${place} › `);
      return [{ id: String(public_id), label: place }, ...below];
    });
}
