import { expect, test } from "vitest";
import { faultsByMember } from "./faults";

test("faults go to their members, the rest below an empty name", () => {
  const faults = [
    { pointer: "/user_name", detail: "is in use" },
    { pointer: "/rights/0", detail: "is no right" },
    { pointer: "/rights/1", detail: "is none either" },
    { pointer: "", detail: "nobody deletes itself" },
    { pointer: "action", detail: "is missing" },
  ];
  expect(faultsByMember(faults, ["user_name", "rights"])).toEqual(
    new Map([
      ["user_name", "is in use"],
      ["rights", "is no right is none either"],
      ["", "nobody deletes itself is missing"],
    ]),
  );
});
