import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { typesQuery } from "~/api/objectTypes";
import { ProblemAlert } from "~/ui/Alert";
import { Dashboard } from "./Dashboard";

const Begin = lazy(() => import("./Begin").then(({ Begin }) => ({ default: Begin })));

/** The overview, or what to begin with if there is nothing yet. */
export function HomePage() {
  const types = useQuery(typesQuery);
  if (types.error && !types.data) return <ProblemAlert error={types.error} />;
  if (types.data?.length === 0) {
    return (
      <Suspense>
        <Begin />
      </Suspense>
    );
  }
  return <Dashboard />;
}
