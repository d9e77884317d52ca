import { useQuery } from "@tanstack/react-query";
import { CleanButton } from "~/actions/CleanButton";
import { useRights } from "~/actions/rights";
import { CLEAN_RIGHT, uncleanQuery } from "~/api/clean";
import type { ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import styles from "./Alerts.module.css";

/** Says that objects have other fields than the stored type, and offers to clean them. */
export function UncleanAlert({ type }: { type: ObjectType }) {
  const { texts, number } = useLocale();
  const mayClean = useRights().has(CLEAN_RIGHT);
  const count = useQuery({ ...uncleanQuery(type.public_id), enabled: mayClean }).data ?? 0;
  if (count === 0) return null;
  return (
    <div className={styles.unclean}>
      <p>{texts.clean.unclean(count, number(count))}</p>
      <CleanButton type={type} />
    </div>
  );
}
