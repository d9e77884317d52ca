/** The first letters of a text: browsers lay out long ones for nothing, where nobody reads them. */
export function beginning(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
