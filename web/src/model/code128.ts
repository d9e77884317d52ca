/** Barcodes of Code 128, set B: all of printable ASCII. */

/** The widths of three bars and three spaces of each symbol, in modules. */
const SYMBOLS = [
  "212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231",
  "113222123122123221223211221132221231213212223112312131311222321122321221312212322112322211",
  "212123212321232121111323131123131321112313132113132311211313231113231311112133112331132131",
  "113123113321133121313121211331231131213113213311213131311123311321331121312113312311332111",
  "314111221411431111111224111422121124121421141122141221112214112412122114122411142112142211",
  "241211221114413111241112134111111242121142121241114212124112124211411212421112421211212141",
  "214121412121111143111341131141114113114311411113411311113141114131311141411131211412211214",
  "211232",
].join("");
const WIDTH = 6;
const START_B = 104;
const STOP = "2331112";
/** The checksum is a remainder of this. */
const MODULUS = 103;
const FIRST = 0x20;
const LAST = 0x7e;

const symbol = (value: number) => SYMBOLS.slice(value * WIDTH, (value + 1) * WIDTH);

export interface Bars {
  /** Modules from the first bar to the last one. */
  width: number;
  bars: { x: number; width: number }[];
}

/** No scanner reads a longer one. */
const LONGEST = 200;

/** The bars of a text; nothing if it is empty or too long, or has characters that the code does not have. */
export function code128(text: string): Bars | undefined {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  if (codes.length === 0 || codes.length > LONGEST) return undefined;
  if (codes.some((code) => code < FIRST || code > LAST)) return undefined;
  const values = codes.map((code) => code - FIRST);
  const sum = values.reduce((sum, value, index) => sum + value * (index + 1), START_B);
  const widths = [START_B, ...values, sum % MODULUS].map(symbol).join("") + STOP;
  const bars: Bars["bars"] = [];
  let x = 0;
  [...widths].map(Number).forEach((width, index) => {
    // Bars and spaces take turns.
    if (index % 2 === 0) bars.push({ x, width });
    x += width;
  });
  return { width: x, bars };
}
