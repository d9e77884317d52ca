import { ChevronLeft, ChevronRight } from "lucide-react";
import { useLocale } from "~/i18n";
import { Button } from "./Button";
import styles from "./Pager.module.css";

interface Props {
  /** The first page is 1. */
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
}

/** Steps through a list; nothing if it has one page. */
export function Pager({ page, pageSize, total, onPage }: Props) {
  const { texts, number } = useLocale();
  if (total <= pageSize) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  return (
    <div className={styles.pager}>
      <Button
        variant="quiet"
        aria-label={texts.admin.previousPage}
        isDisabled={page <= 1}
        onPress={() => onPage(page - 1)}
      >
        <ChevronLeft size={16} aria-hidden="true" />
      </Button>
      <span aria-live="polite">
        {texts.admin.pageOf(number(first), number(last), number(total))}
      </span>
      <Button
        variant="quiet"
        aria-label={texts.admin.nextPage}
        isDisabled={last >= total}
        onPress={() => onPage(page + 1)}
      >
        <ChevronRight size={16} aria-hidden="true" />
      </Button>
    </div>
  );
}
