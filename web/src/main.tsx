import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { problemOf } from "./api/problem";
import { LocaleProvider } from "./i18n";
import { router } from "./routes/router";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";

const RETRIES = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What the server refused, it will refuse again.
      retry: (failures, error) => problemOf(error).status === 0 && failures < RETRIES,
      staleTime: 2_000,
    },
  },
});

const element = document.getElementById("app");
if (!element) throw new Error("index.html has no element for the app");
createRoot(element).render(
  <StrictMode>
    <LocaleProvider>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </LocaleProvider>
  </StrictMode>,
);
