import { defineConfig, type OxlintOverride } from "oxlint";

/** Rules beyond oxlint's "correctness" category: the rest of typescript-eslint's strict, type-checked set. */
const STRICT = [
  "no-case-declarations",
  "no-empty",
  "no-fallthrough",
  "no-prototype-builtins",
  "no-regex-spaces",
  "no-unexpected-multiline",
  "no-useless-constructor",
  "no-var",
  "prefer-const",
  "prefer-rest-params",
  "prefer-spread",
  "preserve-caught-error",
  "typescript/no-deprecated",
  "typescript/no-dynamic-delete",
  "typescript/no-empty-object-type",
  "typescript/no-explicit-any",
  "typescript/no-extraneous-class",
  "typescript/no-invalid-void-type",
  "typescript/no-mixed-enums",
  "typescript/no-namespace",
  "typescript/no-non-null-asserted-nullish-coalescing",
  "typescript/no-non-null-assertion",
  "typescript/no-require-imports",
  "typescript/no-unnecessary-boolean-literal-compare",
  "typescript/no-unnecessary-template-expression",
  "typescript/no-unnecessary-type-arguments",
  "typescript/no-unnecessary-type-assertion",
  "typescript/no-unnecessary-type-constraint",
  "typescript/no-unnecessary-type-conversion",
  "typescript/no-unnecessary-type-parameters",
  "typescript/no-unsafe-argument",
  "typescript/no-unsafe-assignment",
  "typescript/no-unsafe-call",
  "typescript/no-unsafe-enum-comparison",
  "typescript/no-unsafe-function-type",
  "typescript/no-unsafe-member-access",
  "typescript/no-unsafe-return",
  "typescript/only-throw-error",
  "typescript/prefer-promise-reject-errors",
  "typescript/prefer-reduce-type-parameter",
  "typescript/prefer-return-this-type",
  "typescript/related-getter-setter-pairs",
  "typescript/require-await",
  "typescript/restrict-plus-operands",
  "typescript/unified-signatures",
  "typescript/use-unknown-in-catch-callback-variable",
];

/** What a folder may not import: arrows run downward only (docs/design.md). */
const ban = (group: string[], message: string, allowTypeImports = false) => ({ group, message, allowTypeImports });
type Ban =
  | ReturnType<typeof ban>
  | { regex: string; message: string; allowTypeImports?: boolean }
  | { group: string[]; importNames: string[]; message: string };
const restrict = (files: string[], ...patterns: Ban[]): OxlintOverride => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns }] },
});

const SIGNING = ban(["aws4fetch", "@aws-sdk/*"], "Only worker/storage/ signs requests and speaks S3.");
const SQL = ban(["drizzle-orm", "drizzle-orm/*"], "SQL belongs in worker/db/.");
const PAGES = ban(
  ["#app/*", "#build/*", "!#build/throwaway-domains.js", "#engine/*"],
  "The server imports neither the pages nor their engine.",
);
const LINK_ROWS = {
  group: ["**/db/files.ts"],
  importNames: ["findFileByDownloadId", "findCurrentFile"],
  message: "worker/links/open-link.ts is the one way from a link to its row.",
};
/** What begins a session in better-auth, or in a call of it. */
const SESSION_MAKERS = [
  "createSession",
  "signInEmail",
  "signInSocial",
  "changePassword",
  "resetPassword",
  "verifyEmail",
];
const GATE = "worker/accounts/sign-in.ts is the one place where a session begins (decision 039).";

/** The rooms of worker/: each imports only rooms that stand below it (docs/design.md). */
const ROOMS = [
  "api sweep load-context middleware admin notices tus sending requests transfers uploads downloads moderation files links",
  "keys billing webhooks content diagnostics accounts callers feed limits mail errors db storage",
].flatMap((names) => names.split(" "));
const roomsAbove = (room: string) =>
  ban(
    ROOMS.slice(0, ROOMS.indexOf(room)).flatMap((above) => [
      `#worker/${above}/**`,
      `../${above}/**`,
      `../../${above}/**`,
    ]),
    `worker/${room}/ imports only rooms below it: ${ROOMS.join(", ")}.`,
  );

const SERVER = ban(["#worker/*", "#durable-objects/*"], "Pages reach the server through their context alone.");
const FULL_ZOD = { regex: "^zod$", message: "Import zod/mini: the browser loads it too." };
const CATALOGUES = {
  regex: "^#messages/(catalogues|compiled|de/|en/)",
  message: "A page gets its messages from its loader (app/lib/i18n/messages.server.ts).",
  allowTypeImports: true,
};

/** Pages take types alone from the Worker: their context. */
const APP = [
  { ...SERVER, group: ["#worker/*"], allowTypeImports: true },
  ban(["#durable-objects/*"], SERVER.message),
  FULL_ZOD,
  CATALOGUES,
];

/** What Node's types would let the engine use, although it is missing in browsers, or a port stands for it. */
const NOT_IN_ENGINE = [
  "Buffer",
  "WebSocket",
  "console",
  "fetch",
  "global",
  "localStorage",
  "navigator",
  "process",
  "sessionStorage",
  "setImmediate",
];

const FEATURES = "account admin billing content developers download files requests upload".split(" ");
const othersThan = (feature: string) =>
  ban(
    [...FEATURES.filter((other) => other !== feature).map((other) => `#app/features/${other}/*`), "#app/shell/*"],
    "Features do not import each other: what two of them need belongs in app/ui/ or app/lib/.",
  );

export default defineConfig({
  plugins: ["typescript", "react", "import", "unicorn", "oxc"],
  categories: { correctness: "error" },
  ignorePatterns: ["build/", "worker/env.d.ts", ".wrangler/", ".tmp/", "test-results/"],
  rules: {
    ...Object.fromEntries(STRICT.map((rule) => [rule, "error"] as const)),
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "typescript/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    "typescript/restrict-template-expressions": ["error", { allowNumber: true }],
    "typescript/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    // Components and services take callbacks as method signatures, which TypeScript checks more strictly.
    "typescript/unbound-method": "off",
    "no-console": ["error", { allow: ["log", "warn", "error"] }],
    "typescript/return-await": ["error", "error-handling-correctness-only"],
    // Strings and numbers of one digit sort as expected without a comparison.
    "typescript/require-array-sort-compare": "off",
    // TypeScript checks these, and knows Vite's imports.
    "import/default": "off",
    "no-setter-return": "off",
  },
  overrides: [
    restrict(
      ["domain/**"],
      ban(
        [
          "#app/*",
          "#engine/*",
          "#worker/*",
          "#durable-objects/*",
          "#messages/*",
          "#build/*",
          "node:*",
          "hono",
          "react",
        ],
        "domain/ imports nothing but zod/mini.",
      ),
    ),
    restrict(
      ["opener/**"],
      ban(
        ["#app/*", "#engine/*", "#worker/*", "#durable-objects/*", "#messages/*", "#build/*", "#test/*", "../*"],
        "opener/ imports domain/ alone.",
      ),
    ),
    restrict(
      ["cli/**"],
      FULL_ZOD,
      ban(
        ["#app/*", "#worker/*", "#durable-objects/*", "#messages/*", "#build/*", "#test/*"],
        "cli/ stands on engine/, opener/ and domain/.",
      ),
    ),
    restrict(
      ["thunderbird/**"],
      FULL_ZOD,
      ban(
        ["#app/*", "!#app/features/upload/browser/**", "#worker/*", "#durable-objects/*", "#build/*", "#test/*"],
        "thunderbird/ stands on engine/, domain/, messages/, cli/net/ and what the pages' uploads use of a browser.",
      ),
    ),
    restrict(
      ["messages/**"],
      ban(
        ["#app/*", "#engine/*", "#worker/*", "#durable-objects/*", "node:*", "hono", "react"],
        "messages/ stands on domain/.",
      ),
    ),
    restrict(
      ["engine/**"],
      ban(
        ["*", "!./**", "!../**", "!#domain/**", "!zod/mini", "../../*/**", "../app/**", "../messages/**"],
        "engine/ imports domain/ alone: what differs between browsers and Node is a port (engine/ports.ts).",
      ),
    ),
    { files: ["engine/**"], rules: { "no-restricted-globals": ["error", ...NOT_IN_ENGINE] } },
    restrict(["app/**"], ...APP),
    ...FEATURES.map((feature) => restrict([`app/features/${feature}/**`], ...APP, othersThan(feature))),
    restrict(["app/ui/**"], ...APP, ban(["#app/features/*", "#app/shell/*"], "app/ui/ stands on app/lib/.")),
    restrict(["app/lib/**"], ...APP, ban(["#app/features/*", "#app/shell/*", "#app/ui/*"], "app/lib/ is the ground.")),
    restrict(["app/lib/i18n/messages.server.ts"], SERVER),
    restrict(["worker/**"], SIGNING, SQL, PAGES, FULL_ZOD, LINK_ROWS),
    ...ROOMS.map((room) => restrict([`worker/${room}/**`], SIGNING, SQL, PAGES, FULL_ZOD, LINK_ROWS, roomsAbove(room))),
    restrict(["worker/links/open-link.ts"], SIGNING, SQL, PAGES, FULL_ZOD, roomsAbove("links")),
    // For senders, who go on with their own uploads.
    restrict(["worker/callers/sessions.ts"], SIGNING, SQL, PAGES, FULL_ZOD, roomsAbove("callers")),
    restrict(["worker/app.ts", "worker/index.ts"], SIGNING, SQL, FULL_ZOD, LINK_ROWS),
    restrict(
      ["worker/api/**"],
      SIGNING,
      SQL,
      PAGES,
      FULL_ZOD,
      LINK_ROWS,
      ban(["#worker/db/*", "../db/*", "#worker/storage/*", "../storage/*"], "A handler calls a feature."),
    ),
    {
      files: ["worker/**"],
      rules: {
        "no-restricted-properties": ["error", ...SESSION_MAKERS.map((property) => ({ property, message: GATE }))],
      },
    },
    restrict(["worker/db/**"], SIGNING, PAGES, FULL_ZOD, roomsAbove("db")),
    restrict(["worker/storage/**"], SQL, PAGES, FULL_ZOD, LINK_ROWS, roomsAbove("storage")),
    restrict(
      ["durable-objects/**"],
      SIGNING,
      SQL,
      PAGES,
      FULL_ZOD,
      ban(
        ["#worker/*", "!#worker/db/*", "!#worker/storage/*", "!#worker/log.ts", "!#worker/memory.ts"],
        "Durable Objects stand on db, storage and domain.",
      ),
    ),
    // Remix takes a thrown Response as the answer.
    { files: ["app/routes/*.tsx"], rules: { "typescript/only-throw-error": "off" } },
    // Plain JavaScript has no types to check.
    {
      files: ["**/*.js"],
      rules: Object.fromEntries(
        STRICT.filter((rule) => rule.startsWith("typescript/")).map((rule) => [rule, "off"] as const),
      ),
    },
  ],
});
