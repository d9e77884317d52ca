import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { IMPORT_RIGHT } from "~/api/imports";
import { meQuery } from "~/api/session";
import { objectSourcesQuery } from "~/api/sources";
import { useLocale } from "~/i18n";
import { RelativeTime } from "~/i18n/RelativeTime";
import { may } from "~/model/rights";

/** The sources of an object, behind its other facts; nothing without the right to see them. */
export function FromSources({ id }: { id: number }) {
  const { texts, time } = useLocale();
  const me = useQuery(meQuery).data;
  const list = useQuery({ ...objectSourcesQuery(id), enabled: may(me, IMPORT_RIGHT) });
  const { sources } = texts;
  return list.data?.map(({ source_id, source_name, last_seen_at, missing_since }) => (
    <span key={source_id}>
      {" · "}
      {sources.from} <Link to="/sources">{source_name}</Link>,{" "}
      {missing_since ? (
        sources.missingSince(time(new Date(`${missing_since}Z`)))
      ) : (
        <RelativeTime at={last_seen_at} phrase={sources.lastSeen} />
      )}
    </span>
  ));
}
