import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { formatBytes } from "#domain/units.ts";
import type { ReconciliationFinding, ReconciliationWindow } from "#domain/wire.ts";
import { logInAsAdministrator } from "./admin-login.ts";
import { ensureDevVars } from "./dev-vars.ts";
import { freePort } from "./free-port.ts";

/**
 * `npm run reconcile`: compares every object with its row and every row with its object, without changing anything.
 * Checks the local system (`--persist-to DIR` for another copy), or with `--url https://files.example.com` a deployed
 * one, with ADMIN_USERNAME and ADMIN_PASSWORD of the environment, and ADMIN_CODE where a second factor is due. The exit
 * code is 1 for findings, and 2 when the comparison cannot run.
 */
const { values } = parseArgs({
  options: { url: { type: "string" }, "persist-to": { type: "string", default: ".wrangler/state" } },
});

const findings = await reconcile();
for (const { kind, s3Key, size } of findings) {
  const what = kind === "orphan" ? "object without a row" : "file whose object is missing or has another size";
  console.log(`${s3Key}, ${formatBytes(size)}: ${what}`);
}
if (findings.length > 0) process.exitCode = 1;

async function reconcile(): Promise<ReconciliationFinding[]> {
  try {
    return await (values.url === undefined
      ? reconcileLocally(values["persist-to"])
      : reconcileDeployment(values.url, credentialsFromEnv()));
  } catch (error) {
    console.error(`The reconciliation failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  }
}

interface Administrator {
  username: string;
  password: string;
}

function credentialsFromEnv(): Administrator {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = process.env;
  if (username && password) return { username, password };
  throw new Error("set ADMIN_USERNAME and ADMIN_PASSWORD to the login of an administrator there.");
}

function codeFromEnv(): Promise<string> {
  const { ADMIN_CODE: code } = process.env;
  if (code) return Promise.resolve(code);
  return Promise.reject(
    new Error("the login asks for a second factor: set ADMIN_CODE to the code that the app shows."),
  );
}

async function reconcileLocally(persistTo: string): Promise<ReconciliationFinding[]> {
  const administrator = ensureDevVars();
  const port = await freePort();
  const arguments_ = ["scripts/dev.ts", "--once", "--port", String(port), "--persist-to", persistTo];
  const server = spawn(process.execPath, arguments_, { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(server, "exit");
  const errorOutput: string[] = [];
  server.stderr.on("data", (chunk) => errorOutput.push(String(chunk)));
  try {
    const origin = `http://localhost:${port}`;
    const isReady = await Promise.race([outputIncludes(server.stdout, origin), exited.then(() => false)]);
    if (!isReady) throw new Error(`the local system did not start: ${errorOutput.join("")}`);
    return await reconcileDeployment(origin, administrator);
  } finally {
    server.kill();
    await exited;
  }
}

/** Waits for output that contains the text. */
async function outputIncludes(output: Readable, expected: string): Promise<boolean> {
  let text = "";
  for await (const chunk of output) if ((text += String(chunk)).includes(expected)) return true;
  return false;
}

async function reconcileDeployment(origin: string, administrator: Administrator): Promise<ReconciliationFinding[]> {
  const cookie = await logInAsAdministrator(origin, administrator, codeFromEnv);
  const found: ReconciliationFinding[] = [];
  let objects = 0;
  let rows = 0;
  let after: string | null = "";
  while (after !== null) {
    const window: ReconciliationWindow = await inspectWindow(origin, cookie, after);
    found.push(...window.findings);
    objects += window.objects;
    rows += window.rows;
    after = window.next;
  }
  console.log(`${objects} objects and ${rows} rows: ${found.length} findings`);
  return found;
}

async function inspectWindow(origin: string, cookie: string, after: string): Promise<ReconciliationWindow> {
  const query = new URLSearchParams({ after });
  const response = await fetch(new URL(`/api/admin/reconciliation/window?${query}`, origin), { headers: { cookie } });
  if (!response.ok) throw new Error(`the reconciliation answered ${response.status}: ${await response.text()}`);
  const window: unknown = await response.json();
  return window as ReconciliationWindow;
}
