import type { Ref } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components";
import styles from "./Button.module.css";

interface Props extends Omit<ButtonProps, "className" | "style" | "isPending"> {
  ref?: Ref<HTMLButtonElement>;
  look?: "primary" | "plain" | "quiet" | "danger";
  /** Keeps the focus, unlike a disabled button, and does nothing until its work is done. */
  isPending?: boolean;
}

export function Button({ look = "plain", isPending = false, ...props }: Props) {
  const pending = isPending ? { onPress: () => undefined, type: "button" as const } : {};
  const names = [styles.button, styles[look], isPending && styles.pending];
  return <AriaButton {...props} {...pending} className={names.filter(Boolean).join(" ")} />;
}
