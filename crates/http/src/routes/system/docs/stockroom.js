"use strict";

// The page stands at <base>/docs/; the token is kept in this page's memory only.
const base = new URL("..", document.baseURI).pathname.replace(/\/$/, "");
const element = (id) => document.getElementById(id);
const viewer = start();

/** Shows the API, without the HEAD of every GET. */
async function start() {
  const answer = await fetch(`${base}/rest/openapi.json`);
  const spec = await answer.json();
  for (const path of Object.values(spec.paths)) {
    delete path.head;
  }
  spec.servers = [{ url: base || "/" }];
  return new Promise((resolve) => {
    const ui = SwaggerUIBundle({
      spec,
      domNode: element("api"),
      deepLinking: true,
      displayRequestDuration: true,
      docExpansion: "none",
      filter: true,
      layout: "BaseLayout",
      presets: [SwaggerUIBundle.presets.apis],
      tryItOutEnabled: true,
      validatorUrl: null,
      onComplete: () => resolve({ ui, scheme: spec.components.securitySchemes.token }),
    });
  });
}

async function authorize(token) {
  const { ui, scheme } = await viewer;
  if (token) {
    ui.authActions.authorize({ token: { name: "token", schema: scheme, value: token } });
  } else {
    ui.authActions.logout(["token"]);
  }
}

function show(user, message) {
  element("login").hidden = Boolean(user);
  element("session").hidden = !user;
  element("user").textContent = user ? `Logged in as ${user}` : "";
  element("message").textContent = message || "";
}

let session = null;

element("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const body = JSON.stringify(Object.fromEntries(new FormData(form)));
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch(`${base}/rest/auth/login`, { method: "POST", headers, body });
    const login = await answer.json();
    if (!answer.ok) {
      return show(null, login.detail);
    }
    session = login.token;
    await authorize(session);
    form.reset();
    show(login.user.user_name);
  } catch {
    show(null, "The server cannot be reached.");
  }
});

element("logout").addEventListener("click", async () => {
  const headers = { Authorization: `Bearer ${session}` };
  await fetch(`${base}/rest/auth/logout`, { method: "POST", headers }).catch(() => {});
  session = null;
  await authorize(null);
  show(null);
});
