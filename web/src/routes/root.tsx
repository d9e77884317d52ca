import { createRootRoute, Link } from "@tanstack/react-router";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Frame } from "./Frame";
import styles from "./router.module.css";

/** What all screens are below. */
export const root = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => <ProblemAlert error={error} />,
});

function NotFound() {
  const { texts } = useLocale();
  return (
    <div className={styles.notFound}>
      <h1>{texts.notFound}</h1>
      <Link to="/">{texts.goHome}</Link>
    </div>
  );
}
