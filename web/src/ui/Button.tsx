import type { Ref } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components";
import styles from "./Button.module.css";

type Variant = "primary" | "plain" | "quiet" | "danger";

interface Props extends Omit<ButtonProps, "className" | "style" | "isPending"> {
  ref?: Ref<HTMLButtonElement>;
  variant?: Variant;
  /** Keeps the focus, unlike a disabled button, and does nothing until its work is done. */
  isPending?: boolean;
}

/** The class of a button, for a link that leads on like one. */
export function buttonClass(variant: Variant = "plain"): string {
  return `${styles.button} ${styles[variant]}`;
}

export function Button({ variant = "plain", isPending = false, ...props }: Props) {
  const pending = isPending ? { onPress: () => undefined, type: "button" as const } : {};
  const name = isPending ? `${buttonClass(variant)} ${styles.pending}` : buttonClass(variant);
  return <AriaButton {...props} {...pending} className={name} />;
}
