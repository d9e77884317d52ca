import { ArrowRight, Ban, CircleAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { serverUrl } from "~/api/client";
import type { FieldFinding, PreviewedObject, TypePreview } from "~/api/records";
import { useLocale } from "~/i18n";
import styles from "./ReviewDialog.module.css";

/** What the server says of a change: what it refuses, what objects lose, what no longer fits. */
export function PreviewResult({ preview }: { preview: TypePreview }) {
  const { texts, number } = useLocale();
  const { refused, orphaned, unfit, unclean, renamed, warnings, complete, examined } = preview;
  return (
    <>
      {!complete && <p className={styles.warnings}>{texts.designer.examined(number(examined))}</p>}
      <Group title={texts.designer.refusedTitle} variant="refused" findings={refused} />
      {renamed.length > 0 && (
        <Block title={texts.designer.renamedTitle} variant="plain">
          <ul className={styles.changes}>
            {renamed.map(({ from, to, count }) => (
              <li key={from}>
                <code>{from}</code> → <code>{to}</code>: {texts.objectsCount(count, number(count))}
              </li>
            ))}
          </ul>
        </Block>
      )}
      <Group title={texts.designer.orphanedTitle} variant="warnings" findings={orphaned} />
      <Group title={texts.designer.unfitTitle} variant="warnings" findings={unfit} />
      {unclean.count > 0 && (
        <Block title={texts.designer.uncleanTitle} variant="warnings">
          <Objects count={unclean.count} objects={unclean.objects} />
        </Block>
      )}
      {warnings.length > 0 && (
        <Block title={texts.designer.serverSays} variant="warnings">
          <ul className={styles.changes}>
            {warnings.map(({ pointer, detail }) => (
              <li key={`${pointer} ${detail}`}>{detail}</li>
            ))}
          </ul>
        </Block>
      )}
    </>
  );
}

type Variant = "refused" | "warnings" | "plain";

const ICONS = { refused: Ban, warnings: TriangleAlert, plain: ArrowRight };

function Block({
  title,
  variant,
  children,
}: {
  title: string;
  variant: Variant;
  children: ReactNode;
}) {
  const Icon = ICONS[variant];
  return (
    <section className={styles[variant]}>
      <h3>
        <Icon size={14} aria-hidden="true" />
        {title}
      </h3>
      {children}
    </section>
  );
}

interface GroupProps {
  title: string;
  variant: Variant;
  findings: readonly FieldFinding[];
}

function Group({ title, variant, findings }: GroupProps) {
  if (findings.length === 0) return null;
  return (
    <Block title={title} variant={variant}>
      {findings.map(({ field, reason, detail, count, objects }) => (
        <div key={`${field}/${reason}`} className={styles.finding}>
          <p>
            <CircleAlert size={13} aria-hidden="true" /> {detail}
          </p>
          <Objects count={count} objects={objects} />
        </div>
      ))}
    </Block>
  );
}

/** How many objects, and links to the first of them. They open beside the draft. */
function Objects({ count, objects }: { count: number; objects: readonly PreviewedObject[] }) {
  const { texts, number } = useLocale();
  if (objects.length === 0) return <p>{texts.objectsCount(count, number(count))}</p>;
  return (
    <details className={styles.objects}>
      <summary>{texts.objectsCount(count, number(count))}</summary>
      <ul>
        {objects.map(({ public_id: id, summary }) => (
          <li key={id}>
            <a href={new URL(`objects/${id}`, serverUrl).href} target="_blank" rel="noreferrer">
              {summary || `#${id}`}
            </a>
          </li>
        ))}
      </ul>
      {objects.length < count && <p>{texts.shownOf(number(objects.length), number(count))}</p>}
    </details>
  );
}
