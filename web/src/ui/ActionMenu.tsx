import type { ReactNode } from "react";
import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import styles from "./ActionMenu.module.css";
import { Button } from "./Button";

interface Props {
  label: string;
  actions: readonly { id: string; label: string; run: () => void }[];
  isDisabled?: boolean;
  /** What the button shows. */
  children: ReactNode;
}

/** A button that opens a few more actions. */
export function ActionMenu({ label, actions, isDisabled = false, children }: Props) {
  return (
    <MenuTrigger>
      <Button aria-label={label} isDisabled={isDisabled}>
        {children}
      </Button>
      <Popover className={styles.popover ?? ""} placement="bottom end">
        <Menu className={styles.menu ?? ""}>
          {actions.map(({ id, label, run }) => (
            <MenuItem key={id} onAction={run} className={styles.item ?? ""}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
