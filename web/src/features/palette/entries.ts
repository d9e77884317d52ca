/** What the palette offers for a text. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type LinkProps, useNavigate } from "@tanstack/react-router";
import { useAllActions } from "~/actions";
import { useRecent } from "~/actions/recent";
import { objectsByIdQuery } from "~/api/objectNames";
import { typesQuery } from "~/api/objectTypes";
import type { ObjectType, SearchResults } from "~/api/records";
import { suggestionsQuery } from "~/api/search";
import { useLocale } from "~/i18n";
import { summaryOf } from "~/model/object";
import { isSearchable, linkOf } from "~/model/search";

export interface Entry {
  id: string;
  label: string;
  detail?: string | undefined;
  icon?: string | null | undefined;
  keys?: string | undefined;
  /** The palette stays open. */
  isStep?: boolean;
  run: () => void;
}

export interface Section {
  id: string;
  label: string;
  entries: Entry[];
}

/** Nobody reads longer lists. */
const SHOWN = 8;

/** Sections with entries only; without a text, the objects that were opened last and all types. */
export function useSections(text: string, onNarrow: (text: string) => void): Section[] {
  const { texts } = useLocale();
  const types = useQuery(typesQuery).data ?? [];
  const found = useQuery({
    ...suggestionsQuery(text),
    enabled: isSearchable(text),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const results = isSearchable(text) ? found.data : undefined;
  const sections = [
    { id: "recent", label: texts.palette.recent, entries: useRecentEntries(types, text) },
    { id: "found", label: texts.palette.found, entries: useFoundEntries(types, text, results) },
    {
      id: "narrow",
      label: texts.palette.narrow,
      entries: useFacets(types, text, results, onNarrow),
    },
    { id: "types", label: texts.types, entries: useTypeEntries(types, text) },
    { id: "actions", label: texts.palette.actions, entries: useActionEntries(text) },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}

function useRecentEntries(types: readonly ObjectType[], text: string): Entry[] {
  const navigate = useNavigate();
  const ids = useRecent();
  const objects = useQuery(objectsByIdQuery(ids)).data ?? [];
  if (text !== "") return [];
  return ids.flatMap((id) => {
    const object = objects.find(({ public_id }) => public_id === id);
    if (!object) return [];
    const type = types.find(({ public_id }) => public_id === object.type_id);
    return {
      id: String(id),
      label: summaryOf(object, type) || `#${id}`,
      detail: type?.label,
      icon: type?.render_meta.icon ?? null,
      run: () => navigate({ to: "/objects/$id", params: { id: String(id) } }),
    };
  });
}

function useFoundEntries(
  types: readonly ObjectType[],
  text: string,
  results: SearchResults | undefined,
): Entry[] {
  const { texts, number } = useLocale();
  const navigate = useNavigate();
  // Types have a section of their own.
  const shown = (results?.results ?? []).filter(({ kind }) => kind !== "type").slice(0, SHOWN);
  const entries: Entry[] = shown.map((result) => {
    const type = types.find(({ public_id }) => public_id === result.type_id);
    const kind = type?.label ?? texts.palette.kinds[result.kind];
    const isInTitle = result.value !== null && result.title.includes(result.value);
    const value = isInTitle || !result.field ? "" : `${result.field.label}: ${result.value} · `;
    return {
      id: `${result.kind}-${result.public_id}`,
      label: result.title || `#${result.public_id}`,
      detail: `${value}${kind}`,
      icon: type ? (type.render_meta.icon ?? null) : undefined,
      run: () => navigate(linkOf(result) as LinkProps),
    };
  });
  if (results && results.total > shown.length) {
    entries.push({
      id: "all",
      label: texts.palette.all(number(results.total), results.more),
      run: () => navigate({ to: "/search", search: { q: text } }),
    });
  }
  return entries;
}

/** The types of what was found: choosing one searches only there. */
function useFacets(
  types: readonly ObjectType[],
  text: string,
  results: SearchResults | undefined,
  onNarrow: (text: string) => void,
): Entry[] {
  const { number } = useLocale();
  if (!results || results.facets.length < 2) return [];
  return results.facets.slice(0, SHOWN).flatMap((facet) => {
    const type = types.find(({ public_id }) => public_id === facet.type_id);
    if (!type || /[\s"]/.test(type.name)) return [];
    return {
      id: String(facet.type_id),
      label: `type:${type.name}`,
      detail: number(facet.count),
      icon: type.render_meta.icon ?? null,
      isStep: true,
      run: () => onNarrow(`type:${type.name} ${text}`),
    };
  });
}

function useTypeEntries(types: readonly ObjectType[], text: string): Entry[] {
  const navigate = useNavigate();
  return types
    .filter(({ label, name }) => isMatch(text, label, name))
    .slice(0, SHOWN)
    .map((type) => ({
      id: String(type.public_id),
      label: type.label || type.name,
      icon: type.render_meta.icon,
      run: () => navigate({ to: "/objects", search: { type: type.public_id } }),
    }));
}

function useActionEntries(text: string): Entry[] {
  return useAllActions().filter(
    ({ id, label }) => id !== "palette" && id !== "search" && isMatch(text, label),
  );
}

function isMatch(text: string, ...names: string[]): boolean {
  const lower = text.toLowerCase();
  return names.some((name) => name.toLowerCase().includes(lower));
}
