import { createRootRoute, type ErrorComponentProps, Link } from "@tanstack/react-router";
import { useLocale } from "~/i18n";
import { BrokenAlert } from "~/ui/Alert";
import { Frame } from "./Frame";
import styles from "./router.module.css";

/** What all screens are below. */
export const root = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
});

/** A screen that could not be drawn. What surrounds it stays. */
export function ScreenError({ error }: ErrorComponentProps) {
  return <BrokenAlert error={error} onReload={() => location.reload()} />;
}

function NotFound() {
  const { texts } = useLocale();
  return (
    <div className={styles.notFound}>
      <h1>{texts.notFound}</h1>
      <Link to="/">{texts.goHome}</Link>
    </div>
  );
}
