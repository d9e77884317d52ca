import { getRouteApi, useLocation } from "@tanstack/react-router";
import { SearchPage } from "~/features/search/SearchPage";

const route = getRouteApi("/search");

export function SearchRoute() {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  // Typing replaces the entry of the browser's history: another entry is another search.
  const entry = useLocation({ select: ({ state }) => state.__TSR_index });
  return (
    <SearchPage
      key={entry}
      startText={q ?? ""}
      onText={(text) => navigate({ search: text === "" ? {} : { q: text }, replace: true })}
    />
  );
}
