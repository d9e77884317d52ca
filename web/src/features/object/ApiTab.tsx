import { useQuery } from "@tanstack/react-query";
import { serverUrl } from "~/api/client";
import { neighboursQuery } from "~/api/objects";
import { useLocale } from "~/i18n";
import { curlCommand } from "~/model/filter";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { copyText } from "~/ui/copyText";
import styles from "./ApiTab.module.css";

/** The object as the API has it, and the command that reads it. */
export function ApiTab({ id }: { id: number }) {
  const { texts } = useLocale();
  const object = useQuery(neighboursQuery(id));
  if (object.error && !object.data) return <ProblemAlert error={object.error} />;
  if (!object.data) return <p>{texts.loading}</p>;
  const { labels: _, ...native } = object.data.object;
  const command = curlCommand(new URL(`rest/objects/${id}/native`, serverUrl).href, {});
  return (
    <div className={styles.tab}>
      <Block label={texts.object.command} text={command} />
      <Block label="JSON" text={JSON.stringify(native, null, 2)} />
    </div>
  );
}

function Block({ label, text }: { label: string; text: string }) {
  const { texts } = useLocale();
  return (
    <section className={styles.block}>
      <header>
        <h2>{label}</h2>
        <Button variant="quiet" onPress={() => copyText(text)}>
          {texts.object.copyText}
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it, no key scrolls the text */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
