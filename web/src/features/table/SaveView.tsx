import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { problemOf } from "~/api/problem";
import { meQuery } from "~/api/queries";
import type { SavedView } from "~/api/types";
import { createView } from "~/api/views";
import { useLocale } from "~/i18n";
import { may } from "~/model/rights";
import { definitionOf, type ViewSearch } from "~/model/view";
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
  const queries = useQueryClient();
  const navigate = useNavigate();
  const me = useQuery(meQuery).data;
  const [name, setName] = useState("");
  const [visibility, setVisibility] = useState<SavedView["visibility"]>("private");
  const [isDefault, setIsDefault] = useState(false);
  const [error, setError] = useState<string>();
  const maySetForAll = may(me, "base.framework.type.edit");
  const offered = (["private", "group", ...(maySetForAll ? (["all"] as const) : [])] as const).map(
    (id) => ({ id, label: texts.table[id] }),
  );
  const save = async () => {
    try {
      const view = await createView({
        name,
        visibility,
        type_id: search.type ?? null,
        is_default: isDefault,
        definition: definitionOf(search),
      });
      await queries.invalidateQueries({ queryKey: ["views"] });
      toast(texts.table.viewSaved(view.name));
      onClose();
      navigate({ to: "/objects", search: { ...search, view: view.public_id } });
    } catch (problem) {
      const { faults, detail } = problemOf(problem);
      setError(faults[0]?.detail ?? detail);
    }
  };
  return (
    <Dialog
      title={texts.table.saveViewAs}
      isOpen
      onClose={onClose}
      actions={
        <Button variant="primary" onPress={save} isDisabled={name.trim() === ""}>
          {texts.form.save}
        </Button>
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField
          label={texts.table.viewName}
          value={name}
          onChange={setName}
          error={error}
          autoFocus
        />
        <Select
          label={texts.table.visibility}
          options={offered}
          value={visibility}
          onChange={setVisibility}
        />
        {(visibility === "private" || maySetForAll) && (
          <Checkbox label={texts.table.isDefault} isSelected={isDefault} onChange={setIsDefault} />
        )}
      </form>
    </Dialog>
  );
}
