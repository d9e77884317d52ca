/** A script of another program, with the types that are generated from the OpenAPI document. */
import createClient from "openapi-fetch";
import type { paths } from "../src/api/schema";
import { expect, PASSWORD, test } from "./server";

test("a script works with the types of the document", async ({ server }) => {
  const client = createClient<paths, "application/json">({ baseUrl: server.url });
  const credentials = { user_name: "admin", password: PASSWORD };
  const login = await client.POST("/rest/auth/login", { body: credentials });
  client.use({
    onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${login.data?.token}`);
    },
  });

  const type = await client.POST("/rest/types", {
    body: {
      name: "scripted",
      author_id: 1,
      fields: [{ type: "text", name: "hostname", label: "Host name" }],
    },
  });
  const type_id = type.data?.result_id ?? 0;
  const fields = [{ name: "hostname", value: "srv-1" }];
  const made = await client.POST("/rest/objects", { body: { type_id, author_id: 1, fields } });
  const public_id = made.data?.result_id ?? 0;

  const filter = JSON.stringify({ type_id, "fields.hostname": "srv-1" });
  const list = await client.GET("/rest/types", { params: { query: { limit: 1 } } });
  expect(list.data?.results[0]?.name).toBeTruthy();
  const page = await client.GET("/rest/objects", { params: { query: { filter } } });
  expect(page.data?.total).toBe(1);

  const path = { public_id };
  const read = await client.GET("/rest/objects/{public_id}/native", { params: { path } });
  expect(read.data?.fields[0]).toMatchObject(fields[0] ?? {});
  const header = { "If-Match": read.response.headers.get("ETag") ?? "" };
  const change = { params: { path, header }, body: { version: "1.1.0" } };
  const changed = await client.PATCH("/rest/objects/{public_id}", change);
  expect(changed.data?.result.version).toBe("1.1.0");
  const late = await client.PATCH("/rest/objects/{public_id}", change);
  expect(late.response.status).toBe(412);

  const history = await client.GET("/rest/objects/{public_id}/history", { params: { path } });
  expect(history.data?.results.map(({ action }) => action)).toEqual(["update", "insert"]);
  const gone = await client.DELETE("/rest/objects/{public_id}", {
    params: { path: { public_id: String(public_id) } },
  });
  expect(gone.response.ok).toBe(true);
});
