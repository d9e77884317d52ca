import { ListBox, ListBoxItem } from "react-aria-components";
import { useLocale } from "~/i18n";
import { TextField } from "~/ui/TextField";
import { TypeIcon } from "~/ui/TypeIcon";
import styles from "./LookTab.module.css";

/** Those that inventories need most; any other can be typed. */
const ICONS = [
  ...["server", "desktop", "laptop", "tv", "print", "phone", "mobile-screen-button", "tablet"],
  ...["hard-drive", "database", "memory", "microchip", "network-wired", "ethernet", "wifi"],
  ...["tower-broadcast", "satellite-dish", "diagram-project", "sitemap", "cloud", "globe"],
  ...["plug", "bolt", "battery-full", "car-battery", "fan", "fire-extinguisher", "camera"],
  ...["video", "headset", "keyboard", "computer-mouse", "box", "box-open", "boxes-stacked"],
  ...["cube", "cubes", "city", "building", "warehouse", "industry", "house", "door-open"],
  ...["table-list", "layer-group", "location-dot", "map", "truck", "car", "user", "users"],
  ...["people-group", "id-card", "key", "lock", "shield-halved", "certificate", "file-lines"],
  ...["file-contract", "file-signature", "file-invoice", "receipt", "credit-card", "cart-shopping"],
  ...["calendar", "clipboard-check", "screwdriver-wrench", "gear", "gears", "toolbox", "tag"],
  ...["barcode", "qrcode", "folder", "book", "flask", "stethoscope", "temperature-half", "faucet"],
];

const classOf = (icon: string) => `fas fa-${icon}`;

/** The icon of a type: one of a selection, or any by its name. */
export function IconPicker({
  value,
  onChange,
}: {
  value: string;
  onChange: (icon: string) => void;
}) {
  const { texts } = useLocale();
  return (
    <>
      <div className={styles.iconName}>
        <TextField
          label={texts.designer.iconName}
          hint={texts.designer.iconHint}
          value={value}
          onChange={onChange}
        />
        <span className={styles.shown}>
          <TypeIcon name={value} size={24} />
        </span>
      </div>
      <ListBox
        aria-label={texts.designer.icon}
        className={styles.icons ?? ""}
        layout="grid"
        selectionMode="single"
        selectedKeys={[value]}
        onSelectionChange={(keys) => {
          const [icon] = keys === "all" ? [] : [...keys];
          onChange(icon === undefined ? "" : String(icon));
        }}
      >
        {ICONS.map((icon) => (
          <ListBoxItem
            key={icon}
            id={classOf(icon)}
            textValue={icon}
            aria-label={icon}
            className={styles.icon ?? ""}
          >
            <TypeIcon name={classOf(icon)} size={18} />
          </ListBoxItem>
        ))}
      </ListBox>
    </>
  );
}
