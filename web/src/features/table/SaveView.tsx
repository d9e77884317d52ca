import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useForm } from "~/actions/useForm";
import type { SavedView } from "~/api/records";
import { meQuery } from "~/api/session";
import { createViewMutation } from "~/api/views";
import { useLocale } from "~/i18n";
import { may } from "~/model/rights";
import { definitionOf, type ViewSearch } from "~/model/view";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Checkbox } from "~/ui/Checkbox";
import { Dialog } from "~/ui/Dialog";
import { Select } from "~/ui/Select";
import { TextField } from "~/ui/TextField";
import { toast } from "~/ui/Toasts";
import styles from "./ViewMenu.module.css";

/** Asks for the name of a new view, and who sees it. */
export function SaveView({ search, onClose }: { search: ViewSearch; onClose: () => void }) {
  const { texts } = useLocale();
  const navigate = useNavigate();
  const me = useQuery(meQuery).data;
  const maySetForAll = may(me, "base.framework.type.edit");
  const offered = (["private", "group", ...(maySetForAll ? (["all"] as const) : [])] as const).map(
    (id) => ({ id, label: texts.table[id] }),
  );
  const form = useForm({
    initial: { name: "", visibility: "private" as SavedView["visibility"], isDefault: false },
    members: ["name"],
    mutation: createViewMutation,
    variables: ({ name, visibility, isDefault }) => ({
      name,
      visibility,
      type_id: search.type ?? null,
      is_default: isDefault,
      definition: definitionOf(search),
    }),
    onSettled: (view) => {
      toast(texts.table.viewSaved(view.name));
      onClose();
      navigate({ to: "/objects", search: { ...search, view: view.public_id } });
    },
  });
  const { draft, set, problem } = form;
  return (
    <Dialog
      title={texts.table.saveViewAs}
      isOpen
      onClose={onClose}
      alert={problem && <ProblemAlert error={problem} />}
      actions={
        <Button
          variant="primary"
          isPending={form.isPending}
          onPress={() => form.submit()}
          isDisabled={draft.name.trim() === ""}
        >
          {texts.form.save}
        </Button>
      }
    >
      <form className={styles.form} onSubmit={form.submit}>
        <TextField
          label={texts.table.viewName}
          value={draft.name}
          onChange={(name) => set({ name })}
          error={form.faults.get("name")}
          autoFocus
        />
        <Select
          label={texts.table.visibility}
          options={offered}
          value={draft.visibility}
          onChange={(visibility) => set({ visibility })}
        />
        {(draft.visibility === "private" || maySetForAll) && (
          <Checkbox
            label={texts.table.isDefault}
            isSelected={draft.isDefault}
            onChange={(isDefault) => set({ isDefault })}
          />
        )}
      </form>
    </Dialog>
  );
}
