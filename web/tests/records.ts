/** Records that a test makes by the API, with the session of its page. */
import { expect, type Page } from "@playwright/test";

interface Field {
  /** The kind. */
  type: string;
  regex?: string;
  placeholder?: string;
}

/** Creates a type; its fields by name are kinds, or say more. Answers its id. */
export function createType(page: Page, name: string, kinds: Record<string, string | Field>) {
  const fields = Object.entries(kinds).map(([name, field]) => ({
    ...(typeof field === "string" ? { type: field } : field),
    name,
    label: name,
  }));
  const names = Object.keys(kinds);
  const sections = [{ type: "section", name: "all", label: "All", reference: {}, fields: names }];
  const summary = { fields: names.slice(0, 1) };
  return create(page, "types", {
    name,
    label: name,
    author_id: 1,
    active: true,
    version: "1.0.0",
    description: "",
    acl: { activated: false, groups: { includes: {} } },
    fields,
    render_meta: { icon: "fas fa-cube", sections, externals: [], summary },
  });
}

/** Creates an object. Values are JSON texts, so that they may be numbers of any size. */
export function createObject(page: Page, type: number, values: Record<string, string>) {
  const fields = Object.entries(values).map(
    ([name, json]) => `{"name": ${JSON.stringify(name)}, "value": ${json}}`,
  );
  return create(page, "objects", `{"type_id": ${type}, "author_id": 1, "fields": [${fields}]}`);
}

async function create(page: Page, path: string, data: object | string): Promise<number> {
  const answer = await page.request.post(`/rest/${path}`, { data, headers: headersOf(page) });
  expect(answer.ok(), await answer.text()).toBe(true);
  return ((await answer.json()) as { result_id: number }).result_id;
}

export async function deleteObject(page: Page, id: number) {
  const answer = await page.request.delete(`/rest/objects/${id}`, { headers: headersOf(page) });
  expect(answer.ok()).toBe(true);
}

/** The value of a field as it is stored, as JSON. */
export async function storedValue(page: Page, id: number, name: string): Promise<string> {
  const text = await (await page.request.get(`/rest/objects/${id}/native`)).text();
  const found = new RegExp(`"name":\\s*"${name}",\\s*"value":\\s*("[^"]*"|[^,}]*)`).exec(text);
  return found?.[1] ?? "";
}

/** The server takes writes with a cookie from its own pages alone. */
function headersOf(page: Page) {
  const { origin } = new URL(page.url());
  return { origin, "sec-fetch-site": "same-origin", "content-type": "application/json" };
}
