import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { typesQuery } from "~/api/objectTypes";
import type { ObjectType, SearchResults } from "~/api/records";
import { resultsQuery } from "~/api/search";
import { useLocale } from "~/i18n";
import { isSearchable } from "~/model/search";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { Page } from "~/ui/Page";
import { TextField } from "~/ui/TextField";
import { Result } from "./Result";
import styles from "./SearchPage.module.css";

interface Props {
  startText: string;
  /** Keeps the text in the address. */
  onText: (text: string) => void;
}

/** All records that a text finds, the best first. */
export function SearchPage({ startText, onText }: Props) {
  const { texts } = useLocale();
  const [text, setText] = useState(startText);
  const change = (next: string) => {
    setText(next);
    onText(next);
  };
  const wanted = useDeferredValue(text.trim());
  const types = useQuery(typesQuery).data ?? [];
  const found = useInfiniteQuery({
    ...resultsQuery(wanted),
    enabled: isSearchable(wanted),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const results = found.data?.pages.flatMap((page) => page.results) ?? [];
  const first = isSearchable(wanted) ? found.data?.pages[0] : undefined;
  return (
    <Page title={texts.search.title} hint={texts.search.hint}>
      <TextField
        label={texts.search.title}
        hidesLabel
        autoFocus
        placeholder={texts.palette.hint}
        value={text}
        onChange={change}
      />
      {found.error && <ProblemAlert error={found.error} onRetry={() => found.refetch()} />}
      {first && <Counts found={first} types={types} onNarrow={(by) => change(`${by} ${text}`)} />}
      {first && (
        <ol className={styles.results} data-stale={found.isPlaceholderData || undefined}>
          {results.map((result) => (
            <Result key={`${result.kind} ${result.public_id}`} result={result} types={types} />
          ))}
        </ol>
      )}
      {first && found.hasNextPage && (
        <div>
          <Button isPending={found.isFetchingNextPage} onPress={() => found.fetchNextPage()}>
            {texts.auditLog.more}
          </Button>
        </div>
      )}
    </Page>
  );
}

interface CountsProps {
  found: SearchResults;
  types: readonly ObjectType[];
  onNarrow: (by: string) => void;
}

/** How much was found, and a button for each type among it. */
function Counts({ found, types, onNarrow }: CountsProps) {
  const { texts, number } = useLocale();
  const named = found.facets.flatMap((facet) => {
    const name = types.find(({ public_id }) => public_id === facet.type_id)?.name;
    return name && !/[\s"]/.test(name) ? { ...facet, name } : [];
  });
  return (
    <div className={styles.counts}>
      <p aria-live="polite">
        {found.total === 0
          ? texts.search.nothing
          : texts.search.count(found.total, number(found.total), found.more)}
      </p>
      {named.length > 1 &&
        named.map(({ type_id, label, count, name }) => (
          <Button key={type_id} onPress={() => onNarrow(`type:${name}`)}>
            {`${label} ${number(count)}`}
          </Button>
        ))}
    </div>
  );
}
