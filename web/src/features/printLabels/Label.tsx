import { useMemo } from "react";
import { code128 } from "~/model/code128";
import { qrDrawing } from "~/model/qr";
import styles from "./Label.module.css";
import type { LabelContent } from "./usePrintLabels";

/** What is stuck on a thing: a code that leads to its object, and what people read. */
export function Label({ content }: { content: LabelContent }) {
  const { id, url, type, name, lines, barcode } = content;
  return (
    <li className={styles.label}>
      <QrCode text={url} />
      <div className={styles.text}>
        <p className={styles.kind}>
          {type} #{id}
        </p>
        <p className={styles.name}>{name}</p>
        {lines.map(({ label, text }) => (
          <p key={label} className={styles.line}>
            {label}: {text}
          </p>
        ))}
      </div>
      <Barcode text={barcode} />
    </li>
  );
}

function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => qrDrawing(text), [text]);
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={text}
    >
      <path d={path} />
    </svg>
  );
}

function Barcode({ text }: { text: string }) {
  const code = useMemo(() => code128(text), [text]);
  if (!code) return null;
  return (
    <svg
      className={styles.barcode}
      viewBox={`0 0 ${code.width} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      role="img"
      aria-label={text}
    >
      {code.bars.map(({ x, width }) => (
        <rect key={x} x={x} y={0} width={width} height={1} />
      ))}
    </svg>
  );
}
