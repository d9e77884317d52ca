import { type FormEvent, useState } from "react";
import { useLocale } from "~/i18n";
import { apiTime, dateOfApi, localTime } from "~/model/moment";
import { Button } from "~/ui/Button";
import { DateTimeField } from "~/ui/DateTimeField";
import styles from "./History.module.css";

interface Props {
  /** The time that the page shows. */
  asOf: string | undefined;
  onAsOf: (asOf: string) => void;
}

/** Asks for a time at which to show the object. */
export function AsOfForm({ asOf, onAsOf }: Props) {
  const { texts } = useLocale();
  const [local, setLocal] = useState(asOf === undefined ? "" : localTime(asOf));
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const time = apiTime(local);
    if (time !== undefined && dateOfApi(time) <= new Date()) onAsOf(time);
    else setError(texts.timeline.future);
  };
  return (
    <form className={styles.asOf} onSubmit={submit} noValidate>
      <DateTimeField
        label={texts.timeline.asOf}
        value={local}
        error={error}
        onChange={(value) => {
          setLocal(value);
          setError(undefined);
        }}
      />
      <Button type="submit">{texts.timeline.showThen}</Button>
    </form>
  );
}
