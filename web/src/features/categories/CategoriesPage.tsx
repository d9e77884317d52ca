import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useActions } from "~/actions";
import { useRights } from "~/actions/rights";
import { categoriesQuery } from "~/api/categories";
import { typesQuery } from "~/api/objectTypes";
import type { Category } from "~/api/records";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Page } from "~/ui/Page";
import { CategoryDialog } from "./CategoryDialog";
import { CategoryTree } from "./CategoryTree";
import { DeleteCategory } from "./DeleteCategory";

/** What is open over the tree. */
type Opened =
  | { what: "new"; parent: number | null }
  | { what: "edit" | "delete"; category: Category };

/** The tree of categories and types, to sort and change. */
export function CategoriesPage() {
  const { texts } = useLocale();
  const rights = useRights();
  const categories = useQuery(categoriesQuery);
  const types = useQuery(typesQuery);
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const create = () => setOpened({ what: "new", parent: null });
  const mayAdd = rights.has("base.framework.category.add");
  useActions(
    mayAdd
      ? [{ id: "category.new", label: texts.categories.newCategory, keys: "n", run: create }]
      : [],
  );
  const error = categories.error ?? types.error;
  const list = categories.data;
  return (
    <Page
      title={texts.admin.screens.categories}
      hint={texts.categories.hint}
      actions={
        mayAdd && (
          <Button variant="primary" onPress={create}>
            <Plus size={14} aria-hidden="true" />
            {texts.categories.newCategory}
          </Button>
        )
      }
    >
      {error && <ProblemAlert error={error} onRetry={() => categories.refetch()} />}
      {list?.length === 0 && <p>{texts.categories.empty}</p>}
      {list && types.data && (
        <CategoryTree
          categories={list}
          types={types.data}
          may={{
            add: mayAdd,
            edit: rights.has("base.framework.category.edit"),
            delete: rights.has("base.framework.category.delete"),
          }}
          onAdd={(parent) => setOpened({ what: "new", parent })}
          onEdit={(category) => setOpened({ what: "edit", category })}
          onDelete={(category) => setOpened({ what: "delete", category })}
        />
      )}
      {opened?.what === "new" && (
        <CategoryDialog parent={opened.parent} categories={list ?? []} onClose={close} />
      )}
      {opened?.what === "edit" && (
        <CategoryDialog category={opened.category} categories={list ?? []} onClose={close} />
      )}
      {opened?.what === "delete" && (
        <DeleteCategory category={opened.category} categories={list ?? []} onClose={close} />
      )}
    </Page>
  );
}
