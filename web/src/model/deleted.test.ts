import { expect, test } from "vitest";
import type { Change } from "~/api/records";
import { nameBefore, stillGone } from "./deleted";
import { emptyType } from "./typeDraft";

const type = {
  ...emptyType(1, ""),
  fields: [{ type: "text", name: "host", label: "Host" }],
};
type.render_meta.summary.fields = ["host"];
const deletion = (id: number, revision = 2) => ({ public_id: id, revision }) as Change;

test("a deleted object is called as its summary said, or by its number", () => {
  const fields = [{ name: "host", value: "srv-1" }, null];
  expect(nameBefore(deletion(7), [{ path: "fields", before: fields }], type)).toBe("srv-1");
  expect(nameBefore(deletion(7), [{ path: "fields", before: fields }], undefined)).toBe("#7");
  expect(nameBefore(deletion(7), [{ path: "fields", before: "damaged" }], type)).toBe("#7");
  expect(nameBefore(deletion(7), null, type)).toBe("#7");
});

test("objects that came back are left out, and those that went twice are listed once", () => {
  const gone = stillGone(
    [deletion(3, 6), deletion(2), deletion(3, 4), deletion(1)],
    [{ public_id: 2 }],
  );
  expect(gone.map(({ public_id, revision }) => [public_id, revision])).toEqual([
    [3, 6],
    [1, 2],
  ]);
});
