import { Link, useNavigate } from "@tanstack/react-router";
import {
  FolderTree,
  Gauge,
  History,
  type LucideIcon,
  Shapes,
  ShieldCheck,
  Users,
} from "lucide-react";
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

/** The types and the screens of the administration, as far as the caller may open them. */
export function AdminLinks() {
  const { texts } = useLocale();
  const navigate = useNavigate();
  const rights = useRights();
  const screens = openScreens(rights);
  const mayDesign = rights.has("base.framework.type.edit");
  useActions(
    screens.map((screen) => ({
      id: `admin.${screen}`,
      label: `${texts.admin.title}: ${texts.admin.screens[screen]}`,
      run: () => void navigate({ to: `/admin/${screen}` }),
    })),
  );
  if (screens.length === 0 && !mayDesign) return null;
  return (
    <section className={styles.links} aria-label={texts.admin.title}>
      <h2 className={styles.title}>{texts.admin.title}</h2>
      <ul>
        {mayDesign && (
          <li>
            <Link to="/types" activeOptions={{ includeSearch: false }} className={styles.link}>
              <Shapes size={15} aria-hidden="true" />
              {texts.types}
            </Link>
          </li>
        )}
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
