import { Link } from "@tanstack/react-router";
import { ArchiveRestore } from "lucide-react";
import { useRights } from "~/actions/rights";
import { useLocale } from "~/i18n";
import styles from "./AdminLinks.module.css";

/** The way to the deleted objects, for those who may see the history. */
export function DeletedLink() {
  const { texts } = useLocale();
  if (!useRights().has("base.framework.log.view")) return null;
  return (
    <div className={styles.links}>
      <Link to="/deleted" activeOptions={{ includeSearch: false }} className={styles.link}>
        <ArchiveRestore size={15} aria-hidden="true" />
        {texts.timeline.deletedObjects}
      </Link>
    </div>
  );
}
