import { useMutation, useQuery } from "@tanstack/react-query";
import { endOtherSessionsMutation, endSessionMutation, sessionsQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Badge } from "~/ui/Badge";
import { Button } from "~/ui/Button";
import { Page } from "~/ui/Page";
import { Table } from "~/ui/Table";

/** The logins of the caller. */
export function SessionsPage() {
  const { texts, time } = useLocale();
  const sessions = useQuery(sessionsQuery);
  const end = useMutation(endSessionMutation);
  const endOthers = useMutation(endOtherSessionsMutation);
  const error = sessions.error ?? end.error ?? endOthers.error;
  const others = sessions.data?.filter((session) => !session.current) ?? [];
  const timeOf = (seconds: number) => time(new Date(seconds * 1000));
  const { program, address, since, expires, imports } = texts;
  const columns = [program, address, since, expires, imports.actions];
  const rows = (sessions.data ?? []).map((session) => ({
    key: session.id,
    cells: [
      session.user_agent || texts.none,
      session.address || texts.none,
      timeOf(session.started_at),
      timeOf(session.expires_at),
      session.current ? (
        <Badge key="current" variant="success">
          {texts.thisSession}
        </Badge>
      ) : (
        <Button key="end" onPress={() => end.mutate(session.id)}>
          {texts.endSession}
        </Button>
      ),
    ],
  }));
  return (
    <Page
      title={texts.sessions}
      hint={texts.sessionsHint}
      actions={
        others.length > 0 && (
          <Button onPress={() => endOthers.mutate()}>{texts.endOtherSessions}</Button>
        )
      }
    >
      {error && <ProblemAlert error={error} />}
      {rows.length > 0 && <Table label={texts.sessions} columns={columns} rows={rows} />}
    </Page>
  );
}
