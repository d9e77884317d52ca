import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bookmark, ChevronDown } from "lucide-react";
import { useState } from "react";
import { Dialog, DialogTrigger, Popover } from "react-aria-components";
import { usePreferences } from "~/actions/usePreferences";
import { useUndoable } from "~/actions/useUndoable";
import type { SavedView } from "~/api/records";
import { meQuery } from "~/api/session";
import { changeViewMutation, deleteView, ViewConflict, viewsQuery } from "~/api/views";
import { useLocale } from "~/i18n";
import { may } from "~/model/rights";
import { definitionOf, isModified, NO_VIEW, searchOf, type ViewSearch } from "~/model/view";
import { Button } from "~/ui/Button";
import { Checkbox } from "~/ui/Checkbox";
import { toast, toastFailure } from "~/ui/Toasts";
import { SaveView } from "./SaveView";
import styles from "./ViewMenu.module.css";

/** The saved views of this type, and how to save what is shown. */
export function ViewMenu({ search }: { search: ViewSearch }) {
  const { texts } = useLocale();
  const navigate = useNavigate();
  const undoable = useUndoable();
  const me = useQuery(meQuery).data;
  const views = useQuery(viewsQuery).data ?? [];
  const { preferences, change } = usePreferences();
  const pinned = preferences.pinned_views ?? [];
  const [isSaving, setIsSaving] = useState(false);
  const offered = views.filter((view) => view.type_id === (search.type ?? null));
  const current = offered.find((view) => view.public_id === search.view);
  const modified = current !== undefined && isModified(search, current);
  // What somebody else makes of it meanwhile is not what people see.
  const [seen, setSeen] = useState<SavedView>();
  if (current && (seen?.public_id !== current.public_id || (!modified && seen !== current))) {
    setSeen(current);
  }
  const mayChange = current?.owner_id === me?.user.public_id || may(me, "base.framework.type.edit");
  const changed = useMutation({
    ...changeViewMutation,
    onSuccess: () => current && toast(texts.table.viewSaved(current.name)),
    onError: (error) => {
      if (!(error instanceof ViewConflict)) return toastFailure(error);
      setSeen(error.theirs);
      toastFailure(texts.table.viewStale);
    },
  });
  const save = () => seen && changed.mutate({ view: seen, definition: definitionOf(search) });
  const remove = async () => {
    if (!current) return;
    try {
      const { requestId } = await deleteView(current.public_id);
      await navigate({ to: "/objects", search: { ...search, view: NO_VIEW } });
      await undoable(texts.table.viewDeleted(current.name), requestId);
    } catch (error) {
      toastFailure(error);
    }
  };
  return (
    <>
      <DialogTrigger>
        <Button>
          <Bookmark size={14} aria-hidden="true" />
          <span className={styles.current}>{current?.name ?? texts.table.views}</span>
          {modified && <span className={styles.modified}>{texts.table.modified}</span>}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
        <Popover className={styles.popover ?? ""} placement="bottom end">
          <Dialog className={styles.dialog ?? ""} aria-label={texts.table.views}>
            {({ close }) => (
              <>
                <ul className={styles.list}>
                  <li>
                    <Button
                      variant="quiet"
                      aria-current={current === undefined}
                      onPress={() => {
                        close();
                        const { type } = search;
                        navigate({
                          to: "/objects",
                          search: { ...(type ? { type } : {}), view: NO_VIEW },
                        });
                      }}
                    >
                      {texts.table.noView}
                    </Button>
                  </li>
                  {offered.map((view) => (
                    <li key={view.public_id}>
                      <Button
                        variant="quiet"
                        aria-current={view.public_id === search.view}
                        onPress={() => {
                          close();
                          navigate({ to: "/objects", search: searchOf(view) });
                        }}
                      >
                        <span className={styles.name}>{view.name}</span>
                        <span className={styles.soft}>{texts.table[view.visibility]}</span>
                      </Button>
                    </li>
                  ))}
                </ul>
                {current && (
                  <Checkbox
                    label={texts.table.pin}
                    isSelected={pinned.includes(current.public_id)}
                    onChange={(isPinned) =>
                      change(({ pinned_views = [] }) => {
                        const others = pinned_views.filter((id) => id !== current.public_id);
                        return { pinned_views: isPinned ? [...others, current.public_id] : others };
                      })
                    }
                  />
                )}
                {current && mayChange && modified && (
                  <Button onPress={save}>{texts.table.saveView}</Button>
                )}
                <Button
                  onPress={() => {
                    close();
                    setIsSaving(true);
                  }}
                >
                  {texts.table.saveViewAs}
                </Button>
                {current && mayChange && (
                  <Button variant="quiet" onPress={remove}>
                    {texts.table.deleteView}
                  </Button>
                )}
              </>
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {isSaving && <SaveView search={search} onClose={() => setIsSaving(false)} />}
    </>
  );
}
