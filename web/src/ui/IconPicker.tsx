import { ListBox, ListBoxItem } from "react-aria-components";
import styles from "./IconPicker.module.css";
import { TypeIcon } from "./TypeIcon";

/** What inventories are made of, as names of Font Awesome. */
const ICONS = [
  ...["building", "warehouse", "city", "map-location-dot", "location-dot", "door-open"],
  ...["sitemap", "server", "microchip", "cubes", "network-wired", "ethernet"],
  ...["wifi", "hard-drive", "database", "cloud", "shield-halved", "plug"],
  ...["laptop", "desktop", "display", "print", "fax", "keyboard"],
  ...["mobile-screen-button", "phone", "camera", "tv", "box", "boxes-stacked"],
  ...["compact-disc", "code", "key", "certificate", "file-contract", "file-lines"],
  ...["users", "user", "id-badge", "handshake", "cart-shopping", "truck"],
  ...["screwdriver-wrench", "gear", "car", "chair", "toolbox", "tag"],
];

interface Props {
  label: string;
  /** A class of Font Awesome, such as `fas fa-server`; empty for none. */
  value: string;
  onChange: (value: string) => void;
}

/** One of some icons. One that is chosen already is among them. */
export function IconPicker({ label, value, onChange }: Props) {
  const offered = ICONS.map((name) => `fas fa-${name}`);
  const icons = value && !offered.includes(value) ? [value, ...offered] : offered;
  return (
    <div className={styles.picker}>
      <span className={styles.label} aria-hidden="true">
        {label}
      </span>
      <ListBox
        aria-label={label}
        layout="grid"
        selectionMode="single"
        selectedKeys={value ? [value] : []}
        onSelectionChange={(keys) => onChange(String([...keys][0] ?? ""))}
        className={styles.icons ?? ""}
      >
        {icons.map((icon) => (
          <ListBoxItem
            key={icon}
            id={icon}
            textValue={icon.replace(/^.*fa-/, "").replaceAll("-", " ")}
            aria-label={icon.replace(/^.*fa-/, "").replaceAll("-", " ")}
            className={styles.icon ?? ""}
          >
            <TypeIcon name={icon} size={16} />
          </ListBoxItem>
        ))}
      </ListBox>
    </div>
  );
}
