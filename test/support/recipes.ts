/** The recipes of the guide "Adding things" as edits: what goes in, and behind what. */
import type { Edit } from "./tree-copy.ts";

export const ROUTES_FILE = "src/api/issuers/routes.ts";
export const PAGES_FILE = "src/publish/docs/routes.ts";
export const IMPRINT_FILE = "src/publish/docs/imprint-page.tsx";
export const HOLD_FILE = "engine/core/holds/hold.ts";
export const RULES_FILE = "engine/core/rules.ts";
export const OTA_FILE = "feeds/ota.ts";
export const PROVIDERS_FILE = "jobs/payments/providers.ts";
export const PROVIDER_FILE = "jobs/payments/desk.ts";
export const PARTNERS_FILE = "feeds/partners.ts";
export const PROFILE_FILE = "feeds/profiles/skyscanner.ts";
export const WORKER_FILE = "src/ops/roles/worker.ts";
export const JOB_FILE = "jobs/disk-watch.ts";

/** Heading of the guide → what is done. They build on each other, in this order. */
export const RECIPES: Readonly<Record<string, readonly Edit[]>> = {
  "A route": [
    {
      file: ROUTES_FILE,
      after: `      return { ok: true, data: issuerOut(issuer), actions: actionsAt(call, issuer.issuer_id) };
    });
}
`,
      text: `
/** Changes nothing; that it was done is what others hear of. */
function review(call: AtIssuer): Promise<ControlOutcome> {
  return controlWrite(call, (store) => {
    const found = issuerOfPath(call, store);
    if (!found.ok) return found;
    const { issuer } = found;
    const { issuer_id } = issuer;
    return { ok: true, data: issuerOut(issuer), actions: actionsAt(call, issuer_id) };
  });
}
`,
    },
    {
      file: ROUTES_FILE,
      after: `    handle: become("active"),
  }),
`,
      text: `  route({
    ...STEP,
    id: "review_issuer",
    path: \`\${PATH}/:id/review\`,
    summary: "Say that a delegation issuer was reviewed",
    description: "Its operator has looked at it; subscribers are notified.",
    handle: review,
  }),
`,
    },
  ],
  "A tool for models": [
    { file: ROUTES_FILE, after: "import { EmptyBody", text: ", idOf" },
    {
      file: ROUTES_FILE,
      after: `    description: "Its operator has looked at it; subscribers are notified.",
`,
      text: `    tool: {
      title: "Review an issuer",
      description: "Says that an operator has looked at a delegation issuer.",
      tags: ["issuers"],
      nextRel: null,
      pathArguments: { id: "issuer_id" },
      arguments: { issuer_id: idOf("data.issuer_id of an issuer") },
      example: { issuer_id: "iss_1" },
    },
`,
    },
  ],
  "A refusal code": [
    {
      file: "engine/core/refusals.ts",
      after: `  delegation_issuer_not_found: true,
`,
      text: `  issuer_not_reviewable: true,
`,
    },
    {
      file: "src/refusals/access.ts",
      after: `    recovery: [step.LIST_ISSUERS],
    detail: [id("issuer_id", "The requested id.")],
  },
`,
      text: `  issuer_not_reviewable: {
    status: 409,
    message: "The issuer cannot be reviewed in its status.",
    remediation: "Activate the issuer, then review it with a new key.",
    recovery: [step.LIST_ISSUERS],
    detail: [id("issuer_id", "The issuer."), ["status", "string", "Its status."]],
  },
`,
    },
    {
      file: ROUTES_FILE,
      after: `    const { issuer_id } = issuer;
`,
      text: `    const { status } = issuer;
    if (status !== "active") return refuse("issuer_not_reviewable", { issuer_id, status });
`,
    },
    {
      file: ROUTES_FILE,
      after: `    path: \`\${PATH}/:id/review\`,
`,
      text: `    errors: [...STEP.errors, "issuer_not_reviewable"],
`,
    },
  ],
  "An event": [
    {
      file: "engine/core/events/notices.ts",
      after: `    data: { issuer_id: ID, iss: text(), status: ACCESS_STATE, previous_status: ACCESS_STATE },
  },
`,
      text: `  "delegation_issuer.reviewed": {
    meaning: "An operator has looked at an issuer.",
    subject: "delegation_issuer",
    data: { issuer_id: ID },
  },
`,
    },
    {
      file: ROUTES_FILE,
      after: `return refuse("issuer_not_reviewable", { issuer_id, status });
`,
      text: `    writeNotice(store, causeOf(call), { type: "delegation_issuer.reviewed", data: { issuer_id } });
`,
    },
  ],
  "An engine event": [
    {
      file: "engine/core/events/holds.ts",
      after: `    data: { hold_id: ID, expires_at: INSTANT, extensions: integer(1) },
  },
`,
      text: `  "hold.exhausted": {
    meaning: "A hold was extended for the last time.",
    subject: "hold",
    state: "held",
    data: { hold_id: ID, extensions: integer(1) },
  },
`,
    },
    {
      file: HOLD_FILE,
      after: `    data: { hold_id: hold.hold_id, expires_at: expiresAt, extensions },
  });
`,
      text: `  if (extensions === EXTENSIONS_MAX) {
    events.add({ type: "hold.exhausted", data: { hold_id: hold.hold_id, extensions } });
  }
`,
    },
    {
      file: HOLD_FILE,
      after: `  "hold.extended": holdExtended,
`,
      text: `  "hold.exhausted": (state, { data }) => {
    state.holds.get(data.hold_id)!.extensions = data.extensions;
  },
`,
    },
  ],
  "A restriction rule": [
    {
      file: RULES_FILE,
      after: `    words: () => "its pattern has no arrival for this length of stay",
  },
`,
      text: `  min_los_departure: {
    kind: "min_nights",
    edge: "departure",
    reason: "min_los_departure",
    meaning: "The shortest stay that may end on the day.",
    words: (limit) => \`a departure stayed \${limit} nights at least\`,
  },
`,
    },
    {
      file: OTA_FILE,
      after: `  max_stay_through: "SetForwardMaxStay",
`,
      text: `  min_los_departure: null,
`,
    },
  ],
  "A payment provider": [
    {
      file: PROVIDER_FILE,
      text: `/** Payment at the desk: the guest pays on arrival, so every charge counts as captured. */
import type { PaymentProvider, ProviderEntry } from "./provider.ts";

const TAKEN = { ok: true, state: "captured" } as const;

const provider: PaymentProvider = {
  create: async ({ key }) => ({ ok: true, ref: \`desk_\${key}\` }),
  confirm: async () => TAKEN,
  read: async () => TAKEN,
  cancel: async () => TAKEN,
  refund: async () => ({ ok: true, state: "succeeded" }),
  readRefund: async () => ({ ok: true, state: "succeeded" }),
  changedSince: async () => ({ ok: true, charges: [], next: null }),
  close() {},
};

/** Always ready. */
export const desk: ProviderEntry = { missing: () => null, open: () => provider };
`,
    },
    {
      file: PROVIDERS_FILE,
      after: ` * here; no other code depends on a particular provider.
 */
`,
      text: `import { desk } from "./desk.ts";
`,
    },
    {
      file: PROVIDERS_FILE,
      after: `const PROVIDERS = {
`,
      text: `  desk,
`,
    },
  ],
  "A feed partner": [
    {
      file: PROFILE_FILE,
      text: `/** Skyscanner takes any documented format: Google's. */
import { google, landingPath } from "./google.ts";
import type { Profile } from "./profile.ts";

export const skyscanner: Profile = {
  ...google,
  ...{ name: "skyscanner", title: "Skyscanner", about: "Catalogue import only." },
  pointOfSale: { match: {}, path: landingPath("skyscanner") },
};
`,
    },
    {
      file: PARTNERS_FILE,
      after: `import type { Profile } from "./profiles/profile.ts";
`,
      text: `import { skyscanner } from "./profiles/skyscanner.ts";
`,
    },
    {
      file: PARTNERS_FILE,
      after: `const PROFILES = {
`,
      text: `  skyscanner,
`,
    },
  ],
  "A job": [
    {
      file: JOB_FILE,
      text: `/** How much room there is for the journal. */
import { statfsSync } from "node:fs";
import { every, type Log, type Service } from "../src/lib/service.ts";

/** Says every minute how much room is left where \`dataDir\` lies. */
export function diskWatch(dataDir: string, log: Log): Service {
  return every("disk watch", 60_000, () => {
    const { bavail, bsize } = statfsSync(dataDir);
    log("info", "disk", { free_bytes: bavail * bsize });
  });
}
`,
    },
    {
      file: WORKER_FILE,
      after: `import { EngineTime } from "../../../engine/log/time-line.ts";
`,
      text: `import { diskWatch } from "../../../jobs/disk-watch.ts";
`,
    },
    {
      file: WORKER_FILE,
      after: `    ...payments,
`,
      text: `    diskWatch(config.dataDir, log),
`,
    },
  ],
  "A page": [
    {
      file: IMPRINT_FILE,
      text: `/** Who runs the service. */
import type { Page } from "../../pages/frame.ts";

/** The page. */
export function imprintPage(): Page {
  const main = (
    <>
      <h1>Imprint</h1>
      <p>The operator.</p>
    </>
  );
  return { title: "Imprint", description: "Who runs this installation.", main };
}
`,
    },
    {
      file: PAGES_FILE,
      after: `import { guideIndex, guidePage } from "./guide-page.tsx";
import { addressed, GUIDE_NAMES, guide, isGuide } from "./guides.ts";
`,
      text: `import { imprintPage } from "./imprint-page.tsx";
`,
    },
    {
      file: PAGES_FILE,
      after: `    handle: showGuide,
  }),
`,
      text: `  route({
    ...PAGE,
    id: "get_imprint",
    path: "/docs/imprint",
    summary: "Who runs the service",
    handle: () => ({ ok: true, page: imprintPage() }),
  }),
`,
    },
  ],
  "An answer in XML": [
    {
      file: PAGES_FILE,
      after: `    handle: () => ({ ok: true, page: imprintPage() }),
  }),
`,
      text: `  route({
    ...PAGE,
    id: "get_imprint_xml",
    path: "/docs/imprint.xml",
    summary: "Who runs the service, for programs",
    renderer: "xml",
    success: { ...PAGE.success, contentType: "application/xml" },
    handle: () => ({ ok: true, xml: "<imprint/>" }),
  }),
`,
    },
  ],
};
