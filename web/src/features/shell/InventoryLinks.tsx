import { Link } from "@tanstack/react-router";
import { ArchiveRestore, FileUp } from "lucide-react";
import { useRights } from "~/actions/rights";
import { IMPORT_RIGHT } from "~/api/imports";
import { useLocale } from "~/i18n";
import styles from "./AdminLinks.module.css";

/** The ways to the imports and to the deleted objects, for those who may. */
export function InventoryLinks() {
  const { texts } = useLocale();
  const rights = useRights();
  const mayImport = rights.has(IMPORT_RIGHT);
  const maySeeDeleted = rights.has("base.framework.log.view");
  if (!mayImport && !maySeeDeleted) return null;
  return (
    <div className={styles.links}>
      {mayImport && (
        <Link to="/imports" className={styles.link}>
          <FileUp size={15} aria-hidden="true" />
          {texts.imports.title}
        </Link>
      )}
      {maySeeDeleted && (
        <Link to="/deleted" activeOptions={{ includeSearch: false }} className={styles.link}>
          <ArchiveRestore size={15} aria-hidden="true" />
          {texts.timeline.deletedObjects}
        </Link>
      )}
    </div>
  );
}
