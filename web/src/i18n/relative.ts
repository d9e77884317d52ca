const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The longest unit that fits comes first. */
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * DAY],
  ["month", 30 * DAY],
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
];

/** How far a time is from another one, in the largest whole unit, such as "3 days ago". */
export function relative(format: Intl.RelativeTimeFormat, time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1_000;
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return format.format(Math.trunc(seconds / length), unit);
}
