import type { Texts } from "../en";

export const search: Texts["search"] = {
  title: "Suche",
  hint: "Wörter, Teile von Wörtern und Kennungen, „genaue Wortfolgen“, type:server, feld:wert. Ergebnisse enthalten alle Angaben.",
  nothing: "Keine Ergebnisse. Entfernen Sie ein Wort oder kürzen Sie es.",
  count: (count: number, text: string, isMore: boolean) =>
    count === 1 ? `${text} Ergebnis` : `${text}${isMore ? " oder mehr" : ""} Ergebnisse`,
};
