import { keysText } from "~/actions/keys";
import { isApple } from "~/ui/platform";
import styles from "./Palette.module.css";

/** The keys of an action, as they stand on the keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {keysText(keys, isApple).map((stroke) => (
        <kbd key={stroke}>{stroke}</kbd>
      ))}
    </span>
  );
}
