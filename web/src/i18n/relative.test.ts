import { expect, test } from "vitest";
import { relative } from "./relative";

const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const now = new Date("2026-03-04T12:00:00Z");
const from = (time: string) => relative(format, new Date(time), now);

test("a time is told in its largest unit", () => {
  expect(from("2026-03-04T11:59:30Z")).toBe("30 seconds ago");
  expect(from("2026-03-04T09:30:00Z")).toBe("2 hours ago");
  expect(from("2026-03-03T11:00:00Z")).toBe("yesterday");
  expect(from("2024-03-04T12:00:00Z")).toBe("2 years ago");
});
