import { Link, type LinkProps } from "@tanstack/react-router";
import type { ObjectType, SearchResult } from "~/api/records";
import { useLocale } from "~/i18n";
import { linkOf } from "~/model/search";
import { TypeIcon } from "~/ui/TypeIcon";
import styles from "./SearchPage.module.css";

/** A found record, with the value in which it was found. */
export function Result({ result, types }: { result: SearchResult; types: readonly ObjectType[] }) {
  const { texts } = useLocale();
  const type = types.find(({ public_id }) => public_id === result.type_id);
  const { field, value } = result;
  return (
    <li className={styles.result}>
      <TypeIcon name={type?.render_meta.icon ?? null} />
      <div className={styles.text}>
        <Link {...(linkOf(result) as LinkProps)} className={styles.title}>
          {result.title || `#${result.public_id}`}
        </Link>
        {field && value !== null && !result.title.includes(value) && (
          <p className={styles.value}>
            {field.label}: {value}
          </p>
        )}
      </div>
      <span className={styles.kind}>{type?.label ?? texts.palette.kinds[result.kind]}</span>
    </li>
  );
}
