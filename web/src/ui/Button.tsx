import type { Ref } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components";
import styles from "./Button.module.css";

type Look = "primary" | "plain" | "quiet" | "danger";

interface Props extends Omit<ButtonProps, "className" | "style" | "isPending"> {
  ref?: Ref<HTMLButtonElement>;
  look?: Look;
  /** Keeps the focus, unlike a disabled button, and does nothing until its work is done. */
  isPending?: boolean;
}

/** The look of a button, for a link that leads on like one. */
export function buttonLook(look: Look = "plain"): string {
  return `${styles.button} ${styles[look]}`;
}

export function Button({ look = "plain", isPending = false, ...props }: Props) {
  const pending = isPending ? { onPress: () => undefined, type: "button" as const } : {};
  const name = isPending ? `${buttonLook(look)} ${styles.pending}` : buttonLook(look);
  return <AriaButton {...props} {...pending} className={name} />;
}
