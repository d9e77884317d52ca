import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/queryClient";
import { LocaleProvider } from "./i18n";
import { router } from "./routes/router";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";

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
