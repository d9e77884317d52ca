import { useDeferredValue, useState } from "react";
import {
  Autocomplete,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  TextField,
} from "react-aria-components";
import { useLocale } from "~/i18n";
import { TypeIcon } from "~/ui/TypeIcon";
import { type Entry, useSections } from "./entries";
import { Keys } from "./Keys";
import styles from "./Palette.module.css";

/** A field, and what it finds. */
export function Finder({ onDone }: { onDone: () => void }) {
  const { texts } = useLocale();
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim());
  const sections = useSections(wanted, setText);
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <TextField aria-label={texts.palette.title} autoFocus className={styles.field ?? ""}>
        <Input placeholder={texts.palette.hint} className={styles.input ?? ""} />
      </TextField>
      <Menu
        className={styles.list ?? ""}
        renderEmptyState={() => <p className={styles.empty}>{texts.palette.nothing}</p>}
      >
        {sections.map(({ id, label, entries }) => (
          <MenuSection key={id}>
            <Header className={styles.header ?? ""}>{label}</Header>
            {entries.map((entry) => (
              <MenuItem
                key={entry.id}
                id={`${id}-${entry.id}`}
                textValue={entry.label}
                className={styles.item ?? ""}
                onAction={() => {
                  if (!entry.isStep) onDone();
                  entry.run();
                }}
              >
                <EntryLine entry={entry} />
              </MenuItem>
            ))}
          </MenuSection>
        ))}
      </Menu>
    </Autocomplete>
  );
}

function EntryLine({ entry }: { entry: Entry }) {
  const { label, detail, icon, keys } = entry;
  return (
    <>
      {icon !== undefined && <TypeIcon name={icon} />}
      <span className={styles.label}>{label}</span>
      {detail && <span className={styles.detail}>{detail}</span>}
      {keys && <Keys keys={keys} />}
    </>
  );
}
