import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KIB } from "#domain/units.ts";
import { readConfig } from "../../scripts/wrangler-config.ts";

/** The size that is uploaded, and loaded at each cold start. */
const BUDGET_BYTES = 1536 * KIB;

interface Metafile {
  outputs: Record<string, { inputs: Record<string, unknown> }>;
}

const folder = mkdtempSync(join(tmpdir(), "worker-bundle-"));

beforeAll(() => {
  execFileSync("wrangler", ["deploy", "--dry-run", "--outdir", folder, "--metafile", join(folder, "meta.json")], {
    stdio: "pipe",
    env: {
      ...process.env,
      NODE_ENV: "production",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      WRANGLER_SEND_METRICS: "false",
    },
  });
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

it("the Worker has at most 1.5 MB compressed", () => {
  const compressedBytes = gzipSync(readFileSync(join(folder, "index.js"))).length;
  expect(compressedBytes).toBeGreaterThan(300 * KIB);
  expect(compressedBytes).toBeLessThanOrEqual(BUDGET_BYTES);
});

/** With [build], wrangler watches only these folders. */
it("`wrangler dev` watches every folder with sources of the Worker or its pages", () => {
  const meta = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8")) as Metafile;
  const inputs = Object.values(meta.outputs).flatMap((output) => Object.keys(output.inputs));
  const own = inputs.filter((input) => !/^[.]|^node_modules\/|:/.test(input) && input.includes("/"));
  const folders = new Set(own.map((input) => input.split("/")[0] ?? ""));
  expect([...folders].sort()).toEqual(["build", "domain", "durable-objects", "messages", "worker"]);
  folders.delete("build");
  expect([readConfig().build?.watch_dir ?? []].flat().sort()).toEqual(
    [...folders, "app", "engine", "migrations", "opener", "public"].sort(),
  );
});

/** With what these import. Name other modules that a page loads by `import()` `.client` (docs/design.md). */
it("of what loads on demand, the Worker carries what it renders and nothing else", () => {
  const meta = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8")) as Metafile;
  const inputs = Object.values(meta.outputs).flatMap((output) => Object.keys(output.inputs));
  const parts = inputs.flatMap((input) => /^build\/server\/assets\/(.+)-[\w-]{8}\.js$/.exec(input)?.[1] ?? []);
  const carried = parts.filter((name) => !name.endsWith(".client"));
  expect(parts.length).toBeGreaterThan(carried.length);
  expect(carried.sort()).toEqual([
    "arrival-progress",
    "entry-folders",
    "lock",
    "locked-link",
    "pictured-files",
    "protected-link",
    "refusal",
    "rewritten-link",
    "sealed-card",
    "sealed-link",
    "server-build",
    "transfer-download",
    "unlock-form",
    "upload-in-progress",
  ]);
});

/** Libraries that one wrong import would bring back. */
it("the Worker contains no browser renderer, no query builder and no reader of certificates", () => {
  const meta = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8")) as Metafile;
  const inputs = Object.values(meta.outputs).flatMap((output) => Object.keys(output.inputs));
  expect(inputs.length).toBeGreaterThan(500);
  const heavy = ["/kysely/", "/cjs/react-dom.", "/@aws-sdk/", "/@peculiar/", "/asn1js/"];
  const carried = heavy.filter((mark) => inputs.some((input) => input.includes(mark)));
  expect(carried).toEqual([]);
});
