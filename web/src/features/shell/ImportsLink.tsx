import { Link } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { useRights } from "~/actions/rights";
import { IMPORT_RIGHT } from "~/api/imports";
import { useLocale } from "~/i18n";
import styles from "./AdminLinks.module.css";

/** The way to the imports, for those who may. */
export function ImportsLink() {
  const { texts } = useLocale();
  if (!useRights().has(IMPORT_RIGHT)) return null;
  return (
    <div className={styles.links}>
      <Link to="/imports" className={styles.link}>
        <FileUp size={15} aria-hidden="true" />
        {texts.imports.title}
      </Link>
    </div>
  );
}
