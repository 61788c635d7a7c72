import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** Arrows run downward only (docs/design.md): what a folder may not import. */
const patterns = (group, message, allowTypeImports = false) => ({ group, message, allowTypeImports });
const restrict = (files, ...list) => ({
  files,
  rules: { "@typescript-eslint/no-restricted-imports": ["error", { patterns: list }] },
});

const SIGNING = patterns(["aws4fetch", "@aws-sdk/*"], "Only worker/storage/ signs and speaks S3.");
const SQL = patterns(["drizzle-orm", "drizzle-orm/*"], "SQL lives in worker/db/ only.");
const API = patterns(["#worker/api/*", "**/api/*"], "Features never import worker/api/.");
const PAGES = patterns(["#app/*", "#build/*"], "The server does not import the pages.");
const CATALOGUES = {
  regex: "^#messages/(catalogues|compiled|de/|en/)",
  message: "A page gets its messages from its loader (app/lib/i18n/messages.server.ts).",
  allowTypeImports: true,
};
const FULL_ZOD = { regex: "^zod$", message: "Import zod/mini: the browser gets it too." };

export default tseslint.config(
  { ignores: ["build/", "node_modules/", "worker/env.d.ts", ".wrangler/", ".tmp/", "test-results/"] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ["./tsconfig.json", "./tsconfig.worker.json"], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      // Components and services are handed callbacks as method signatures, which are checked more strictly.
      "@typescript-eslint/unbound-method": "off",
      "no-console": ["error", { allow: ["log", "warn", "error"] }],
      "max-lines": ["warn", 300],
    },
  },
  { files: ["**/*.js"], extends: [tseslint.configs.disableTypeChecked] },
  { files: ["app/**/*.{ts,tsx}"], extends: [reactHooks.configs.flat.recommended] },
  restrict(
    ["domain/**"],
    patterns(
      ["#app/*", "#worker/*", "#durable-objects/*", "#build/*", "node:*", "hono", "react"],
      "domain/ stands on nothing but zod/mini.",
    ),
  ),
  restrict(
    ["app/**"],
    patterns(["#worker/*"], "Pages reach the server through their context alone.", true),
    patterns(["#durable-objects/*"], "Pages reach the server through their context alone."),
    FULL_ZOD,
    CATALOGUES,
  ),
  restrict(
    ["app/lib/i18n/messages.server.ts"],
    patterns(["#worker/*", "#durable-objects/*"], "Pages reach the server through their context alone."),
  ),
  restrict(
    ["messages/**"],
    patterns(
      ["#app/*", "#worker/*", "#durable-objects/*", "#build/*", "node:*", "hono", "react"],
      "messages/ stands on domain/.",
    ),
  ),
  restrict(["worker/**"], SIGNING, SQL, API, PAGES, FULL_ZOD),
  restrict(["worker/index.ts"], SIGNING, SQL, FULL_ZOD),
  restrict(["worker/middleware/**"], SIGNING, SQL, PAGES, FULL_ZOD),
  restrict(
    ["worker/api/**"],
    SIGNING,
    SQL,
    PAGES,
    FULL_ZOD,
    patterns(["#worker/db/*", "../db/*", "#worker/storage/*", "../storage/*"], "A handler calls a feature."),
  ),
  restrict(["worker/db/**"], SIGNING, API, PAGES, FULL_ZOD),
  restrict(["worker/storage/**"], SQL, API, PAGES, FULL_ZOD),
  restrict(
    ["durable-objects/**"],
    SIGNING,
    SQL,
    PAGES,
    FULL_ZOD,
    patterns(
      ["#worker/*", "!#worker/db/*", "!#worker/storage/*", "!#worker/log.ts"],
      "Durable Objects stand on db, storage and domain.",
    ),
  ),
  { files: ["test/**", "soak/**"], rules: { "max-lines": ["warn", 400] } },
  // Remix takes a thrown Response as the answer.
  { files: ["app/routes/*.tsx"], rules: { "@typescript-eslint/only-throw-error": "off" } },
);
