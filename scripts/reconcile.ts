import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { formatBytes } from "#domain/units.ts";
import type { ReconciliationFinding, ReconciliationWindow } from "#domain/wire.ts";
import { ensureDevVars } from "./dev-vars.ts";
import { freePort } from "./free-port.ts";

/**
 * A reconciliation: every object against its row, every row against its object. `npm run reconcile` looks at what the local system
 * keeps (`--persist-to DIR` for another copy of it); `--url https://files.example.com` at a deployed one, as its
 * administrator: `ADMIN_USERNAME` and `ADMIN_PASSWORD` are read from the environment. It changes nothing. The exit code
 * is 1 when something is amiss, 2 when it could not look.
 */
const { values } = parseArgs({
  options: { url: { type: "string" }, "persist-to": { type: "string", default: ".wrangler/state" } },
});

const findings = await reconcile();
for (const { kind, s3Key, size } of findings) {
  const what = kind === "orphan" ? "no row wants this object" : "this file's object is gone, or is not what was sent";
  console.log(`${s3Key}, ${formatBytes(size)}: ${what}`);
}
if (findings.length > 0) process.exitCode = 1;

/** Whatever keeps the reconciliation from being taken is said in a line. */
async function reconcile(): Promise<ReconciliationFinding[]> {
  try {
    return await (values.url === undefined ? lookLocally(values["persist-to"]) : look(values.url, deployed()));
  } catch (error) {
    console.error(`The reconciliation could not be taken: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  }
}

interface Administrator {
  username: string;
  password: string;
}

function deployed(): Administrator {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = process.env;
  if (username && password) return { username, password };
  throw new Error("set ADMIN_USERNAME and ADMIN_PASSWORD to an administrator's of that system.");
}

/** Starts the local system on a port of its own for as long as it takes. */
async function lookLocally(persistTo: string): Promise<ReconciliationFinding[]> {
  const administrator = ensureDevVars();
  const port = await freePort();
  const arguments_ = ["scripts/dev.ts", "--once", "--port", String(port), "--persist-to", persistTo];
  const server = spawn(process.execPath, arguments_, { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(server, "exit");
  // What it says when it is ended is of no use; what it says before that is.
  const complaints: string[] = [];
  server.stderr.on("data", (chunk) => complaints.push(String(chunk)));
  try {
    const origin = `http://localhost:${port}`;
    const isReady = await Promise.race([messageName(server.stdout, origin), exited.then(() => false)]);
    if (!isReady) throw new Error(`the local system did not start: ${complaints.join("")}`);
    return await look(origin, administrator);
  } finally {
    server.kill();
    await exited;
  }
}

/** Resolves once a program has written that: the local system says its address when it answers. */
async function messageName(output: Readable, expected: string): Promise<boolean> {
  let said = "";
  for await (const chunk of output) if ((said += String(chunk)).includes(expected)) return true;
  return false;
}

async function look(origin: string, administrator: Administrator): Promise<ReconciliationFinding[]> {
  const login = await fetch(new URL("/api/admin/login", origin), {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify(administrator),
  }).catch(() => {
    throw new Error(`${origin} does not answer.`);
  });
  if (login.status === 401) throw new Error("that system does not know this administrator's name and password.");
  if (!login.ok) throw new Error(`the login answered ${login.status}: ${await login.text()}`);
  const cookie = login.headers.getSetCookie()[0]?.split(";")[0] ?? "";
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
