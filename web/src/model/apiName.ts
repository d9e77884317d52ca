const UMLAUTS: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** A name for programs, from one for people: "Größe in m" becomes "groesse-in-m". */
export function nameFrom(label: string): string {
  const latin = label.toLowerCase().replace(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter);
  const plain = latin.normalize("NFKD").replace(/\p{M}/gu, "");
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
}
