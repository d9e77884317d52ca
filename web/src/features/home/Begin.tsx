import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PackageOpen, Shapes, Upload } from "lucide-react";
import { IMPORT_RIGHT } from "~/api/imports";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { may } from "~/model/rights";
import { PackList } from "~/packs/PackList";
import { buttonClass } from "~/ui/Button";
import styles from "./Begin.module.css";

/** An inventory without types: three ways to begin. */
export function Begin() {
  const { texts } = useLocale();
  const me = useQuery(meQuery).data;
  const mayImport = may(me, IMPORT_RIGHT);
  const { designer } = texts;
  if (!may(me, "base.framework.type.add")) {
    return <p className={styles.page}>{designer.noTypesReader}</p>;
  }
  return (
    <div className={styles.page}>
      <div>
        <h1>{designer.beginTitle}</h1>
        <p className={styles.soft}>{designer.beginText}</p>
      </div>
      <div className={styles.ways}>
        <section className={styles.way}>
          <h2 className={styles.title}>
            <PackageOpen size={18} aria-hidden="true" />
            {designer.beginPack}
          </h2>
          <p className={styles.soft}>{designer.beginPackText}</p>
          <PackList />
        </section>
        <section className={styles.way}>
          <h2 className={styles.title}>
            <Shapes size={18} aria-hidden="true" />
            {designer.beginOwn}
          </h2>
          <p className={styles.soft}>{designer.beginOwnText}</p>
          <Link to="/types/new" className={buttonClass()}>
            {designer.beginOwnDo}
          </Link>
        </section>
        <section className={styles.way}>
          <h2 className={styles.title}>
            <Upload size={18} aria-hidden="true" />
            {designer.beginImport}
          </h2>
          {mayImport && (
            <>
              <p className={styles.soft}>{designer.beginImportFileText}</p>
              <Link to="/imports/new" className={buttonClass()}>
                {texts.imports.begin}
              </Link>
            </>
          )}
          <p className={styles.soft}>{designer.beginImportText}</p>
          <Link to="/types" search={{ open: "import" }} className={buttonClass()}>
            {designer.beginImportDo}
          </Link>
        </section>
      </div>
    </div>
  );
}
