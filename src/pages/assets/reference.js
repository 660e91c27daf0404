// Shows the OpenAPI document that the page names, with samples that are right for this
// installation: its address, dates ahead and, in a demo, a key of the visitor's own. What an answer
// says goes into the requests that follow it, also after a reload. The renderer is loaded once the
// list of operations, which the page comes with, can be read.
const place = document.getElementById("reference");
const { url, viewer, visitors } = place.dataset;
/** What the answers of this tab have said, with the key that they were given for. */
const LEARNED = `innkeep-learned:${url}`;

const DAY_MS = 86_400_000;
const KEPT = `innkeep-visitor:${visitors}`;
const dayIn = (days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Where the page was found: the service by a name that the browser may call. */
const HERE = new URL(url, location.href).href.replace(/\/openapi\.json$/, "");

/** What members of requests are filled with, by name, wherever they stand. */
const known = { stay: { check_in: dayIn(30), check_out: dayIn(32) } };

/** Members of answers that later requests need. */
const TAKEN = new Set([
  ...["quote_id", "hold_id", "booking_id", "refund_id", "receipt", "stay", "guests"],
  ...["hotel_id", "property_id", "room_type_id", "rate_plan_id"],
]);

/** Of what the parameter after a segment of a path is the id. */
const IDS = {
  quotes: "quote_id",
  holds: "hold_id",
  bookings: "booking_id",
  refunds: "refund_id",
  properties: "property_id",
};

/** A key, and the consent of an invented traveler; kept until they expire. */
async function visitor() {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
  if (kept !== null && Date.parse(kept.expires_at) > Date.now()) return kept;
  const answer = await fetch(visitors, { method: "POST" });
  if (!answer.ok) return {};
  const { data, next_actions } = await answer.json();
  const [{ body_hint }] = next_actions;
  const made = { ...data, ...body_hint };
  localStorage.setItem(KEPT, JSON.stringify(made));
  return made;
}

/** What can be held, so that every sample names hotels and rooms that there are. */
async function firstSearch() {
  const { destination, stay, guests, agent_key } = known;
  const answer = await fetch(`${HERE}/v1/search`, {
    method: "POST",
    headers: { Authorization: `Bearer ${agent_key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ destination, stay, guests }),
  });
  if (answer.ok) return answer.json();
  // The key is no longer known here: the demo has begun anew.
  if (answer.status === 401) localStorage.removeItem(KEPT);
  return {};
}

function take(members) {
  for (const [name, value] of Object.entries(members ?? {})) {
    if (TAKEN.has(name)) known[name] = value;
    else if (typeof value === "object" && !Array.isArray(value)) take(value);
  }
}

/** What an answer says, and of what it says can be done next the first. */
function learn({ data, receipt, next_actions = [] }) {
  take(next_actions[0]?.body_hint);
  take({ ...data, ...(receipt ? { receipt } : {}) });
  const property_id = data?.hotel_id ?? data?.property_id ?? known.hotel_id;
  if (property_id) Object.assign(known, { property_id, hotel_id: property_id });
}

/** Days of the past are moved ahead, all by as many. */
function ahead(value) {
  const text = JSON.stringify(value);
  const days = text.match(/(?<=")\d{4}-\d\d-\d\d(?=")/g)?.sort() ?? [];
  const late = days.length === 0 ? 0 : Date.parse(dayIn(1)) - Date.parse(days[0]);
  if (late <= 0) return value;
  const moved = (day) => new Date(Date.parse(day) + late + 29 * DAY_MS).toISOString().slice(0, 10);
  return JSON.parse(text.replace(/(?<=")\d{4}-\d\d-\d\d(?=")/g, moved));
}

function filled(value) {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => {
      return [name, Object.hasOwn(known, name) ? known[name] : filled(own)];
    }),
  );
}

/** A parameter with what it should be in a sample; what is optional and unknown is left out. */
function shownParameter(parameter, path) {
  const { example: _recorded, ...bare } = parameter;
  const before = path.split("/").at(path.split("/").indexOf(`{${bare.name}}`) - 1);
  const values = {
    "X-Tenant-Id": known.tenant_id,
    "X-Delegated-User": known.delegation_token,
    "Idempotency-Key": crypto.randomUUID(),
  };
  const example = bare.in === "path" ? known[IDS[before]] : values[bare.name];
  return example === undefined ? bare : { ...bare, example };
}

function shownBody(body) {
  const media = body?.content?.["application/json"];
  if (media?.example === undefined) return body;
  const example = filled(ahead(media.example));
  return { ...body, content: { "application/json": { ...media, example } } };
}

/** One call as a program would make it. */
function callOf(method, path, { parameters, requestBody, security = [] }) {
  const given = (place) => parameters.filter((each) => each.in === place && "example" in each);
  const ids = Object.fromEntries(given("path").map(({ name, example }) => [name, example]));
  const address = HERE + path.replace(/\{(\w+)\}/g, (all, name) => ids[name] ?? all);
  const query = given("query").map(({ name, example }) => `${name}=${encodeURIComponent(example)}`);
  const headers = Object.fromEntries(given("header").map(({ name, example }) => [name, example]));
  if (security.some((each) => "agent_key" in each))
    headers.Authorization = `Bearer ${known.agent_key ?? "<your key>"}`;
  const body = requestBody?.content?.["application/json"]?.example;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const asked = query.length > 0 ? `?${query.join("&")}` : "";
  return { method: method.toUpperCase(), url: address + asked, headers, body };
}

const indented = (value, by) => JSON.stringify(value, null, 2).replaceAll("\n", `\n${by}`);

function curl({ method, url, headers, body }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`-d ${quoted(JSON.stringify(body, null, 2))}`);
  return [`curl -X ${method} ${quoted(url)}`, ...lines].join(" \\\n  ");
}

function typescript({ method, url, headers, body }) {
  const sent = body === undefined ? "" : `\n  body: JSON.stringify(${indented(body, "  ")}),`;
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: "${method}",
  headers: ${indented(headers, "  ")},${sent}
});
const answer = await response.json();
console.log(response.status, answer);`;
}

function python({ method, url, headers, body }) {
  const literal = (value) =>
    indented(value, "    ").replace(/(?<=: )(true|false|null)(?=,?\n)/g, (word) => {
      return { true: "True", false: "False", null: "None" }[word];
    });
  const sent = body === undefined ? "" : `\n    json=${literal(body)},`;
  return `import requests

response = requests.request(
    "${method}",
    ${JSON.stringify(url)},
    headers=${literal(headers)},${sent}
)
print(response.status_code, response.json())`;
}

function samplesOf(call) {
  return [
    { lang: "shell", label: "curl", source: curl(call) },
    { lang: "typescript", label: "TypeScript", source: typescript(call) },
    { lang: "python", label: "Python", source: python(call) },
  ];
}

/** The document with samples as they are right now. */
function shown(document) {
  const { parameters: shared } = document.components;
  const isOf = (method) => ["get", "put", "post", "patch", "delete"].includes(method);
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const entries = Object.entries(operations).map(([method, operation]) => {
      if (!isOf(method)) return [method, operation];
      const { parameters = [], requestBody, ...rest } = operation;
      const own = parameters.map(({ $ref, ...given }) => {
        return shownParameter($ref ? shared[$ref.split("/").at(-1)] : given, path);
      });
      const body = requestBody ? { requestBody: shownBody(requestBody) } : {};
      const made = { ...rest, parameters: own, ...body };
      return [method, { ...made, "x-codeSamples": samplesOf(callOf(method, path, made)) }];
    });
    return [path, Object.fromEntries(entries)];
  });
  const { title, version, description } = document.info;
  const info = {
    ...{ title, version: document.info["x-service-version"] ?? version },
    description: `${description}\n\n${words()}`,
  };
  return {
    ...document,
    externalDocs: undefined,
    info,
    servers: [{ url: HERE }],
    paths: Object.fromEntries(paths),
  };
}

/** What a reader should know before pressing anything. */
function words() {
  if (known.agent_key === undefined) {
    return "**Try it:** put your key under *Authentication*, then press *Test Request* anywhere.";
  }
  const until = new Date(known.expires_at).toLocaleString();
  return (
    "**Try it:** this is a demo, and a key of your own is filled in, with the consent of a " +
    `traveler who does not exist; both are good until ${until}. Press *Test Request*, then ` +
    "*Send*, in this order: [search](#tag/supply/search), [quote](#tag/quotes/quote), " +
    "[hold](#tag/holds/hold), [book](#tag/bookings/book), " +
    "[read](#tag/bookings/get_booking), [audit](#tag/bookings/get_audit), " +
    "[cancel](#tag/bookings/cancel). What each answer says is put into the requests that " +
    "follow, and into their samples. No card is charged."
  );
}

function configured(document) {
  return {
    content: shown(document),
    theme: "none",
    layout: "modern",
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: "never",
    hideClientButton: true,
    hideDarkModeToggle: true,
    documentDownloadType: "none",
    hideModels: true,
    persistAuth: false,
    generateOperationSlug: ({ operationId }) => operationId,
    hiddenClients: true,
    authentication: {
      preferredSecurityScheme: "agent_key",
      securitySchemes: { agent_key: { token: known.agent_key ?? "" } },
    },
    onResponseReceived: async ({ response }) => {
      const { pathname } = new URL(response.url);
      if (!response.ok || !pathname.includes("/v1/") || pathname.includes("/v1/admin/")) return;
      const before = JSON.stringify(known);
      learn(await response.clone().json());
      remember();
      // Not for nothing: the renderer reads the whole document again.
      if (JSON.stringify(known) !== before) reference.updateConfiguration(configured(document));
    },
  };
}

/** Buttons that copy come without a name, and others with another one than is read on them. */
function named() {
  for (const each of place.querySelectorAll("button[class*=copy-button]:not([aria-label])"))
    each.setAttribute("aria-label", "Copy");
  for (const each of place.querySelectorAll("button.show-more")) {
    const [text, name] = [each.textContent.trim(), each.getAttribute("aria-label")];
    if (name?.includes(text) === false) each.setAttribute("aria-label", `${text}: ${name}`);
  }
}

/** Takes up what this tab learned before a reload: for another key other ids count. */
function remembered() {
  const { agent_key, members } = JSON.parse(sessionStorage.getItem(LEARNED) ?? "{}");
  if (members === undefined || agent_key !== known.agent_key) return false;
  if (members.stay?.check_in < dayIn(0)) return false;
  Object.assign(known, members);
  return true;
}

function remember() {
  const members = Object.fromEntries(
    Object.entries(known).filter(([name]) => TAKEN.has(name) || name === "destination"),
  );
  sessionStorage.setItem(LEARNED, JSON.stringify({ agent_key: known.agent_key, members }));
}

/** Resolves when the page has been painted and the renderer is there. */
async function rendererLoaded() {
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: viewer, onload: resolve, onerror: reject });
    document.head.append(script);
  });
}

let reference;
async function start() {
  const [description] = await Promise.all([
    fetch(url).then((answer) => answer.json()),
    rendererLoaded(),
  ]);
  if (visitors) Object.assign(known, await visitor());
  if (!remembered() && known.agent_key) learn(await firstSearch());
  new MutationObserver(named).observe(place, { childList: true, subtree: true });
  // What stands there would be taken for the renderer's own.
  place.replaceChildren();
  reference = window.Scalar.createApiReference(place, configured(description));
}
start();
