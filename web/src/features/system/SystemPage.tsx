import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { countsQuery } from "~/api/aggregates";
import { serverUrl } from "~/api/client";
import { typesQuery } from "~/api/objectTypes";
import { meQuery } from "~/api/session";
import { type Health, healthQuery } from "~/api/system";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Badge } from "~/ui/Badge";
import { Facts } from "~/ui/Facts";
import { Page, Panel } from "~/ui/Page";
import { BackupPanel } from "./BackupPanel";
import { FiguresPanel } from "./FiguresPanel";
import styles from "./SystemPage.module.css";

/** The server: its release, how it is, and how to back it up. */
export function SystemPage() {
  const { texts, number } = useLocale();
  const me = useQuery(meQuery).data;
  const health = useQuery(healthQuery);
  const counts = useQuery(countsQuery).data;
  const types = useQuery(typesQuery).data;
  const objects = counts && [...counts.values()].reduce((sum, count) => sum + count, 0);
  const links = [
    [texts.systemPage.reference, "docs/"],
    [texts.systemPage.guide, "docs/guide/"],
    ["OpenAPI", "rest/openapi.json"],
  ] as const;
  const { process, database } = health.data ?? {};
  return (
    <Page title={texts.admin.screens.system} hint={texts.systemPage.hint}>
      <Panel title={texts.appName}>
        {health.error && <ProblemAlert error={health.error} />}
        <Facts
          facts={[
            [texts.systemPage.version, me?.version],
            [texts.systemPage.process, process && <HealthBadge of="process" health={process} />],
            [
              texts.systemPage.database,
              database && <HealthBadge of="database" health={database} />,
            ],
            [texts.allObjects, objects === undefined ? undefined : number(objects)],
            [texts.types, types && number(types.length)],
          ]}
        />
        <ul className={styles.links}>
          {links.map(([label, path]) => (
            <li key={path}>
              <a href={new URL(path, serverUrl).href}>{label}</a>
            </li>
          ))}
          <li>
            <Link to="/account/sessions">{texts.systemPage.ownSessions}</Link>
          </li>
          <li>
            <Link to="/admin/history" search={{ view: "logins" }}>
              {texts.systemPage.allLogins}
            </Link>
          </li>
        </ul>
      </Panel>
      <FiguresPanel />
      <BackupPanel />
    </Page>
  );
}

function HealthBadge({ of, health }: { of: "process" | "database"; health: Health }) {
  const { texts } = useLocale();
  const variants = { well: "success", ill: "danger", elsewhere: "plain" } as const;
  return <Badge variant={variants[health]}>{texts.systemPage.health[of][health]}</Badge>;
}
