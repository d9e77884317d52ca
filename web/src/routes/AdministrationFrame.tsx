import { Outlet, useLocation } from "@tanstack/react-router";
import { useRights } from "~/actions/rights";
import { useLocale } from "~/i18n";
import { type AdminScreen, mayOpen } from "~/model/administration";
import styles from "./router.module.css";

/** A screen of the administration, for those who may open it. */
export function AdministrationFrame() {
  const { texts } = useLocale();
  const rights = useRights();
  const screen = useLocation().pathname.split("/admin/")[1]?.split("/")[0] ?? "";
  const isAllowed = !(screen in texts.admin.screens) || mayOpen(screen as AdminScreen, rights);
  if (isAllowed) return <Outlet />;
  return (
    <div className={styles.notFound}>
      <h1>{texts.admin.screens[screen as AdminScreen]}</h1>
      <p>{texts.admin.notAllowed}</p>
    </div>
  );
}
