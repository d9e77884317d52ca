import type { Texts } from "../en";

export const search: Texts["search"] = {
  title: "Suche",
  hint: "Wörter, Teile von Wörtern und Kennungen, „genaue Wortfolgen“, type:server, feld:wert. Alles davon muss vorkommen.",
  nothing: "Nichts gefunden. Lassen Sie ein Wort weg, oder schreiben Sie weniger davon.",
  count: (count: number, text: string, isMore: boolean) =>
    count === 1 ? `${text} Ergebnis` : `${text}${isMore ? " oder mehr" : ""} Ergebnisse`,
};
