import { join } from "node:path";

const FOLDER = process.env["SCREENSHOTS"] ?? "../target/screenshots";
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 800 } };
const THEMES = ["light", "dark"] as const;

/** How each screen is looked at: the options of the browser, and where a picture goes. */
export const VARIANTS = Object.entries(SIZES).flatMap(([size, viewport]) =>
  THEMES.map((colorScheme) => ({
    title: `${size} ${colorScheme}`,
    options: { viewport, colorScheme, contextOptions: { reducedMotion: "reduce" as const } },
    pathOf: (screen: string) => join(FOLDER, `${screen}-${size}-${colorScheme}.png`),
  })),
);
