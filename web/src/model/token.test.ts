import { expect, test } from "vitest";
import { NO_TOKEN, tokenBody } from "./token";

test("a token without limits has none in its body", () => {
  expect(tokenBody({ ...NO_TOKEN, name: "all" })).toEqual({ name: "all", read_only: false });
});

test("limits are sent as the API takes them", () => {
  const draft = {
    name: "some",
    expires: "2099-12-31",
    readOnly: true,
    rights: ["base.framework.object.view"],
    types: ["3", "7"],
    networks: "192.0.2.0/24\n 2001:db8::/32,10.0.0.1\n",
  };
  expect(tokenBody(draft)).toEqual({
    name: "some",
    read_only: true,
    expires_at: "2099-12-31T23:59:59",
    rights: ["base.framework.object.view"],
    types: [3, 7],
    networks: ["192.0.2.0/24", "2001:db8::/32", "10.0.0.1"],
  });
});
