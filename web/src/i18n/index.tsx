/** The language of the page: texts, numbers and times. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { de } from "./de";
import { en, type Texts } from "./en";
import { relative } from "./relative";

export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const CATALOGUES: Record<Language, Texts> = { en, de };
const STORED = "stockroom.language";

export interface Locale {
  language: Language;
  /** The language as the browser's region writes numbers and times. */
  region: string;
  setLanguage: (language: Language) => void;
  texts: Texts;
  number: (value: number) => string;
  /** A day, which is the same one everywhere: that of the time in UTC. */
  day: (value: Date) => string;
  /** A day and a time of day. */
  time: (value: Date) => string;
  /** A time with its seconds. */
  exactTime: (value: Date) => string;
  /** How long ago it was. */
  ago: (value: Date) => string;
}

const LocaleContext = createContext<Locale | null>(null);

/** The stored language, else the first of the browser's that there is. */
function preferred(): Language {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages];
  const known = wanted.map((name) => name?.slice(0, 2)).find((name) => name && name in CATALOGUES);
  return (known as Language | undefined) ?? "en";
}

function regional(language: Language): string {
  return navigator.languages.find((name) => name.startsWith(`${language}-`)) ?? language;
}

export function LocaleProvider({ children }: { children: ReactNode }) {
  const [language, choose] = useState(preferred);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const locale = useMemo(() => {
    const region = regional(language);
    const numbers = new Intl.NumberFormat(region);
    const days = new Intl.DateTimeFormat(region, { dateStyle: "medium", timeZone: "UTC" });
    const times = new Intl.DateTimeFormat(region, { dateStyle: "medium", timeStyle: "short" });
    const exact = new Intl.DateTimeFormat(region, { dateStyle: "medium", timeStyle: "medium" });
    const distances = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    return {
      language,
      region,
      setLanguage: (chosen: Language) => {
        localStorage.setItem(STORED, chosen);
        choose(chosen);
      },
      texts: CATALOGUES[language],
      number: (value: number) => numbers.format(value),
      day: (value: Date) => days.format(value),
      time: (value: Date) => times.format(value),
      exactTime: (value: Date) => exact.format(value),
      ago: (value: Date) => relative(distances, value, new Date()),
    };
  }, [language]);
  return <LocaleContext value={locale}>{children}</LocaleContext>;
}

export function useLocale(): Locale {
  const locale = useContext(LocaleContext);
  if (!locale) throw new Error("there is no LocaleProvider");
  return locale;
}
