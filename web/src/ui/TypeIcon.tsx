import sprite from "@fortawesome/fontawesome-free/sprites/solid.svg?no-inline";
import { Box } from "lucide-react";
import styles from "./TypeIcon.module.css";

const NAME = /\bfa-([a-z0-9-]+)\b/g;
/** Words of the class that are styles, not icons. */
const STYLES = new Set(["solid", "regular", "brands", "fw"]);
/** Names of Font Awesome 5 that the sprite has under a new name. */
const RENAMED: Record<string, string> = {
  "th-list": "table-list",
  "project-diagram": "diagram-project",
  "sign-in-alt": "right-to-bracket",
  "file-alt": "file-lines",
  "map-marker-alt": "location-dot",
  "map-marked-alt": "map-location-dot",
  "user-friends": "user-group",
  "people-carry": "people-carry-box",
  hdd: "hard-drive",
  "mobile-alt": "mobile-screen-button",
  "shield-alt": "shield-halved",
  "user-alt": "user-large",
  cog: "gear",
  cogs: "gears",
};

/** The icon of a type or category, by the name of a Font Awesome class. */
export function TypeIcon({ name, size = 14 }: { name: string | null; size?: number }) {
  const words = [...(name ?? "").matchAll(NAME)].map((match) => match[1] ?? "");
  const word = words.find((word) => !STYLES.has(word));
  if (word === undefined) return <Box size={size} className={styles.icon} aria-hidden="true" />;
  return (
    <svg width={size} height={size} className={styles.filled} aria-hidden="true">
      <use href={`${sprite}#${RENAMED[word] ?? word}`} />
    </svg>
  );
}
