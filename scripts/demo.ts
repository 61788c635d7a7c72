import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { DEMO_ACCOUNTS } from "./demo/accounts.ts";
import { fillDemo } from "./demo/fill.ts";
import { DEMO_PASSWORD } from "./demo/person.ts";
import { claim, refusalOf } from "./demo/refusal.ts";
import { LINK_PASSWORD } from "./demo/transfers.ts";
import { ensureDevVars } from "./dev-vars.ts";

/**
 * `npm run demo`: a local copy beside the one of `npm run dev`, in which every page has something to show. `--port` and
 * `--persist-to` mean the same as for `npm run dev`; with `--once` the sources are not watched.
 */
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8788" },
    "persist-to": { type: "string", default: ".wrangler/demo" },
    once: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const { port, "persist-to": folder, once: isOnce } = values;
const origin = `http://localhost:${port}`;

if (values.help) {
  console.log(`npm run demo -- [--port ${port}] [--persist-to ${folder}] [--once]

  --port        where it answers
  --persist-to  the folder of its data; delete it to begin anew
  --once        do not watch the sources`);
  process.exit();
}
const refusal = refusalOf(process.env);
if (refusal !== null) stop(refusal);
if (await answers())
  stop(`Something answers at ${origin} already. Stop it, or choose another port: npm run demo -- --port 8799`);
const conflict = claim(folder);
if (conflict !== null) stop(conflict);

console.log("Building the pages, then filling the demo. The first time takes about a minute.");
const options = ["--port", port, "--persist-to", folder, ...(isOnce ? ["--once"] : [])];
const server = spawn(process.execPath, ["scripts/dev.ts", ...options], {
  env: {
    ...process.env,
    APP_ENV: "development",
    BILLING: "manual",
    EMAIL_VERIFICATION: "off",
    MAIL_TRANSPORT: "local",
    RATE_LIMITS: "off",
  },
  stdio: ["ignore", "inherit", "inherit"],
});
const ended = once(server, "exit");
server.on("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill(signal));

while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 200));
try {
  const links = await fillDemo({ origin, folder, admin: ensureDevVars() });
  const people = Object.values(DEMO_ACCOUNTS).map((email) => `    ${email}`);
  console.log(`
  Demo       ${origin}
  Accounts   password: "${DEMO_PASSWORD}"
${people.join("\n")}
  Mailbox    ${origin}/dev/mailbox
  Links
    photographs   ${links.get("photographs").link}
    arriving      ${links.get("arriving").link}
    encrypted     ${links.get("sealed").link}
    locked        ${links.get("locked").link}   password: "${LINK_PASSWORD}"
    limited       ${links.get("limited").link}
    expired       ${links.get("expired").link}
    taken down    ${links.get("taken down").link}
    request       ${links.get("received").link}   anybody can send files

  Everything is in ${folder}: delete that folder to begin anew.
`);
} catch (error) {
  console.error(error);
  server.kill();
  await ended;
  process.exit(1);
}

async function answers(): Promise<boolean> {
  return fetch(`${origin}/api/auth/me`).then(
    (response) => response.ok,
    () => false,
  );
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
