import { useState } from "react";
import { useActions, useAllActions } from "~/actions";
import { areSingleKeysOn, setSingleKeys } from "~/actions/keys";
import { useLocale } from "~/i18n";
import { Checkbox } from "~/ui/Checkbox";
import { Dialog } from "~/ui/Dialog";
import { Keys } from "./Keys";
import styles from "./Palette.module.css";

/** Lists the keys of this screen. */
export function KeysHelp() {
  const { texts } = useLocale();
  const [isOpen, setIsOpen] = useState(false);
  useActions([{ id: "keys", label: texts.palette.keys, keys: "?", run: () => setIsOpen(true) }]);
  return (
    <Dialog title={texts.palette.keys} isOpen={isOpen} onClose={() => setIsOpen(false)}>
      <KeyList />
    </Dialog>
  );
}

function KeyList() {
  const { texts } = useLocale();
  const actions = useAllActions().flatMap(({ label, keys }) => (keys ? [{ label, keys }] : []));
  const [isOn, setIsOn] = useState(areSingleKeysOn);
  return (
    <>
      <Checkbox
        label={texts.palette.singleKeys}
        isSelected={isOn}
        onChange={(chosen) => {
          setIsOn(chosen);
          setSingleKeys(chosen);
        }}
      />
      <dl className={styles.help}>
        {[...actions, ...texts.palette.gridKeys].map(({ label, keys }) => (
          <div key={`${label}${keys}`}>
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
