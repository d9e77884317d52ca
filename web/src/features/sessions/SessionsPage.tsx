import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { sessionsQuery } from "~/api/queries";
import { endOtherSessions, endSession } from "~/api/session";
import type { Session } from "~/api/types";
import { useLocale } from "~/i18n";
import { Button } from "~/kit/Button";
import { ProblemNotice } from "~/kit/Notice";
import styles from "./SessionsPage.module.css";

/** The logins of the caller. */
export function SessionsPage() {
  const { texts } = useLocale();
  const queries = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const onSuccess = () => queries.invalidateQueries(sessionsQuery);
  const end = useMutation({ mutationFn: endSession, onSuccess });
  const endOthers = useMutation({ mutationFn: endOtherSessions, onSuccess });
  const error = sessions.error ?? end.error ?? endOthers.error;
  const others = sessions.data?.filter((session) => !session.current) ?? [];
  return (
    <div className={styles.page}>
      <div>
        <h1>{texts.sessions}</h1>
        <p className={styles.soft}>{texts.sessionsHint}</p>
      </div>
      {error && <ProblemNotice error={error} />}
      <ul className={styles.list}>
        {sessions.data?.map((session) => (
          <Row key={session.id} session={session} onEnd={() => end.mutate(session.id)} />
        ))}
      </ul>
      {others.length > 0 && (
        <div>
          <Button onPress={() => endOthers.mutate()}>{texts.endOtherSessions}</Button>
        </div>
      )}
    </div>
  );
}

function Row({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { texts, time } = useLocale();
  const rows = [
    [texts.since, time(new Date(session.started_at * 1000))],
    [texts.expires, time(new Date(session.expires_at * 1000))],
    [texts.address, session.address],
    [texts.program, session.user_agent],
  ];
  return (
    <li className={styles.session}>
      <dl className={styles.facts}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt className={styles.soft}>{label}</dt>
            <dd>{value || texts.none}</dd>
          </div>
        ))}
      </dl>
      {session.current ? (
        <span className={styles.current}>{texts.thisSession}</span>
      ) : (
        <Button onPress={onEnd}>{texts.endSession}</Button>
      )}
    </li>
  );
}
