import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus, Shapes, Upload } from "lucide-react";
import { useEffect, useMemo } from "react";
import { useActions } from "~/actions";
import { useUndoKeys } from "~/actions/useUndoKeys";
import { IMPORT_RIGHT } from "~/api/imports";
import { typesQuery } from "~/api/objectTypes";
import { meQuery } from "~/api/session";
import { viewsQuery } from "~/api/views";
import { useLocale } from "~/i18n";
import { may } from "~/model/rights";
import { nextSort, type ViewSearch, viewOf, withDefault } from "~/model/view";
import { ProblemAlert } from "~/ui/Alert";
import { Badge } from "~/ui/Badge";
import { Button, buttonClass } from "~/ui/Button";
import { TypeIcon } from "~/ui/TypeIcon";
import { BulkBar } from "./BulkBar";
import { ColumnMenu } from "./ColumnMenu";
import { columnsOf, shownColumns } from "./columns";
import { ExportMenu } from "./ExportMenu";
import { FilterBar } from "./filter/FilterBar";
import { Grid } from "./grid/Grid";
import styles from "./TablePage.module.css";
import { useRowSelection } from "./useRowSelection";
import { useTotal } from "./useRows";
import { ViewMenu } from "./ViewMenu";

/** A search in a list finds no more than the best of what matches. */
const MOST_FOUND = 500;

/** The objects of a type, or of all types. The address says what is shown. */
export function TablePage({ search: asked }: { search: ViewSearch }) {
  const { texts, number } = useLocale();
  const known = useWithDefault(asked);
  const search = known ?? asked;
  const navigate = useNavigate();
  const types = useQuery(typesQuery);
  const me = useQuery(meQuery).data;
  const view = useMemo(() => viewOf(search), [search]);
  const type = types.data?.find((type) => type.public_id === view.type);
  const all = useMemo(() => columnsOf(type, types.data ?? [], texts), [type, types.data, texts]);
  const columns = useMemo(() => shownColumns(all, view), [all, view]);
  const list = useTotal(view, known !== undefined);
  const listKey = JSON.stringify([view.type, view.search, view.sort, view.conditions, view.filter]);
  const selection = useRowSelection(view);
  // A selection belongs to the list that it was made in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is the reason
  useEffect(() => selection.clear(), [listKey]);
  const change = (part: Partial<Record<keyof ViewSearch, unknown>>) =>
    navigate({ to: "/objects", search: { ...search, ...part } as ViewSearch });
  const searchFor = (q: string | undefined) =>
    // The way back leads to the screen before, not through what was typed.
    navigate({ to: "/objects", search: { ...search, q } as ViewSearch, replace: true });
  useUndoKeys(view.type);
  const mayCreate = me?.types.create.includes(view.type ?? 0) ?? false;
  const create = {
    id: "new",
    label: texts.form.create,
    keys: "n",
    run: () => navigate({ to: "/objects/new", search: { type: view.type ?? 0 } }),
  };
  const importRows = {
    id: "import-type",
    label: texts.imports.importInto(type ? type.label || type.name : ""),
    run: () => navigate({ to: "/imports/new", search: { type: view.type ?? 0 } }),
  };
  const mayImport = mayCreate && may(me, IMPORT_RIGHT);
  useActions([...(mayCreate ? [create] : []), ...(mayImport && type ? [importRows] : [])]);
  const error = types.error ?? list.error;
  const isUnknown = types.data && view.type !== undefined && !type;
  const total = list.data?.total;
  const isFiltered = [view.conditions[0], view.filter, view.search].some(Boolean);
  const countText = view.search && total === MOST_FOUND ? texts.table.best : texts.objectsCount;
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1 className={styles.title}>
          {type && <TypeIcon name={type.render_meta.icon} size={18} />}
          <span className={styles.name}>{type ? type.label || type.name : texts.allObjects}</span>
          {type?.active === false && <Badge variant="warning">{texts.inactive}</Badge>}
        </h1>
        <p className={styles.count} aria-live="polite">
          {total !== undefined && countText(total, number(total))}
        </p>
        <div className={styles.tools}>
          {type && may(me, "base.framework.type.edit") && (
            <Link
              to="/types/$id"
              params={{ id: String(type.public_id) }}
              className={`${buttonClass("quiet")} ${styles.design}`}
            >
              <Shapes size={14} aria-hidden="true" />
              {texts.designer.designType}
            </Link>
          )}
          <ViewMenu search={search} />
          <ColumnMenu all={all} shown={columns} view={view} onChange={change} />
          <ExportMenu view={view} columns={columns} />
          {mayImport && (
            <Button aria-label={importRows.label} onPress={importRows.run}>
              <Upload size={14} aria-hidden="true" />
              <span className="hidden-on-phones">{texts.imports.import}</span>
            </Button>
          )}
          {mayCreate && (
            <Button variant="primary" onPress={create.run}>
              <Plus size={14} aria-hidden="true" />
              {create.label}
            </Button>
          )}
        </div>
      </header>
      {selection.all || selection.ids.size > 0 ? (
        <BulkBar selection={selection} view={view} type={type} total={total ?? 0} />
      ) : (
        <FilterBar
          view={view}
          columns={all}
          shown={columns}
          onChange={change}
          onSearch={searchFor}
        />
      )}
      {type?.fields?.length === 0 && <NoFields type={type.public_id} />}
      {isUnknown && <p className={styles.empty}>{texts.notFound}</p>}
      {error && <ProblemAlert error={error} onRetry={() => list.refetch()} />}
      {total === undefined && !isUnknown && !error && (
        <p role="status" className={`${styles.empty} ${styles.loading}`}>
          {texts.loading}
        </p>
      )}
      {total === 0 && !isUnknown && (
        <div className={styles.empty}>
          <p>{isFiltered ? texts.noMatches : texts.noObjects}</p>
          {!isFiltered && mayCreate && (
            <Button variant="primary" onPress={create.run}>
              {create.label}
            </Button>
          )}
          {!isFiltered && mayImport && (
            <Button onPress={importRows.run}>{texts.imports.begin}</Button>
          )}
          {isFiltered && (
            <Button onPress={() => change({ q: undefined, where: undefined, filter: undefined })}>
              {texts.clearFilters}
            </Button>
          )}
        </div>
      )}
      {known && types.data && total !== undefined && total > 0 && (
        <Grid
          key={view.type}
          listKey={listKey}
          view={view}
          columns={columns}
          types={types.data}
          total={total}
          isStale={list.isPlaceholderData}
          selection={selection}
          editable={me?.types.update ?? []}
          onSort={(path) => change({ sort: nextSort(view.sort, path) })}
          onWidth={(path, width) => change({ widths: { ...view.widths, [path]: width } })}
        />
      )}
    </div>
  );
}

/** A type without fields has nothing to show; who may, adds some. */
function NoFields({ type }: { type: number }) {
  const { texts } = useLocale();
  const mayDesign = may(useQuery(meQuery).data, "base.framework.type.edit");
  return (
    <p className={styles.note}>
      {texts.table.noFields}{" "}
      {mayDesign && (
        <Link to="/types/$id" params={{ id: String(type) }}>
          {texts.table.addFields}
        </Link>
      )}
    </p>
  );
}

/** Nothing until the views are known. */
function useWithDefault(asked: ViewSearch): ViewSearch | undefined {
  const { data: views, error } = useQuery(viewsQuery);
  return useMemo(() => (error ? asked : withDefault(asked, views)), [asked, views, error]);
}
