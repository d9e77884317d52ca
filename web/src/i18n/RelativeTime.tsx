import { useLocale } from ".";

interface Props {
  /** A time as the API writes it, in UTC and without a zone. */
  at: string;
  /** The text around the time. */
  phrase?: (ago: string) => string;
}

/** How long ago something was; the exact time is its tooltip. */
export function RelativeTime({ at, phrase = (ago) => ago }: Props) {
  const { ago, exactTime } = useLocale();
  const time = new Date(`${at}Z`);
  return (
    <time dateTime={`${at}Z`} title={exactTime(time)}>
      {phrase(ago(time))}
    </time>
  );
}
