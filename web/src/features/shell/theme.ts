/** Light, dark, or what the system says. */
import { useEffect, useState } from "react";

export type Theme = "light" | "dark" | "system";
const STORED = "stockroom.theme";

function stored(): Theme {
  const theme = localStorage.getItem(STORED);
  return theme === "light" || theme === "dark" ? theme : "system";
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, choose] = useState(stored);
  useEffect(() => {
    localStorage.setItem(STORED, theme);
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  return [theme, choose];
}
