import { Link, useNavigate } from "@tanstack/react-router";
import { FolderTree, Gauge, History, type LucideIcon, ShieldCheck, Users } from "lucide-react";
import { useActions } from "~/actions";
import { useRights } from "~/actions/rights";
import { useLocale } from "~/i18n";
import { type AdminScreen, openScreens } from "~/model/administration";
import styles from "./AdminLinks.module.css";

const ICONS: Record<AdminScreen, LucideIcon> = {
  categories: FolderTree,
  users: Users,
  groups: ShieldCheck,
  history: History,
  system: Gauge,
};

/** The screens of the administration that the caller may open. */
export function AdminLinks() {
  const { texts } = useLocale();
  const navigate = useNavigate();
  const screens = openScreens(useRights());
  useActions(
    screens.map((screen) => ({
      id: `admin.${screen}`,
      label: `${texts.admin.title}: ${texts.admin.screens[screen]}`,
      run: () => void navigate({ to: `/admin/${screen}` }),
    })),
  );
  if (screens.length === 0) return null;
  return (
    <section className={styles.links} aria-label={texts.admin.title}>
      <h2 className={styles.title}>{texts.admin.title}</h2>
      <ul>
        {screens.map((screen) => {
          const Icon = ICONS[screen];
          return (
            <li key={screen}>
              <Link
                to={`/admin/${screen}`}
                activeOptions={{ includeSearch: false }}
                className={styles.link}
              >
                <Icon size={15} aria-hidden="true" />
                {texts.admin.screens[screen]}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
