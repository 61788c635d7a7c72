import { spawn, type ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { THUNDERBIRD_VERSION, thunderbirdPackagePath } from "#domain/thunderbird-package.ts";
import { MIB } from "#domain/units.ts";
import { newPerson } from "#test/support/cli/program.ts";
import { freePort } from "../scripts/free-port.ts";
import { MANIFEST } from "../thunderbird/manifest.ts";
import { onServer } from "./on-server.ts";
import { report } from "./report.ts";
import { Marionette } from "./thunderbird/marionette.ts";

const PROGRAM = process.env.THUNDERBIRD ?? "/usr/bin/thunderbird";
const PACKAGE = resolve(`build/client${thunderbirdPackagePath(THUNDERBIRD_VERSION)}`);
const { id: ADD_ON } = MANIFEST.browser_specific_settings.gecko;
/** Sent in parts, through presigned URLs. */
const SIZE_BYTES = 20 * MIB + 3;

const PREFERENCES = {
  "mail.provider.suppress_dialog_on_startup": true,
  "mail.spotlight.firstRunDone": true,
  "mailnews.start_page.enabled": false,
  "app.update.disabledForTesting": true,
  "datareporting.policy.dataSubmissionEnabled": false,
};

/** Runs a function in the background page of the add-on. `found` answers. */
const IN_BACKGROUND = `
  const { extension } = WebExtensionPolicy.getByID(${JSON.stringify(ADD_ON)});
  const [view] = [...extension.views].filter(({ viewType }) => viewType === "background");
  const inBackground = (source) => new Promise((resolve) => {
    const { messageManager } = view.xulBrowser;
    const name = "answer-" + Math.random();
    messageManager.addMessageListener(name, ({ data }) => resolve(data));
    messageManager.loadFrameScript("data:application/javascript," + encodeURIComponent(
      "(async () => {" + source + "})().then((value) => sendAsyncMessage(" + JSON.stringify(name) + ", value ?? null));"), false);
  });
`;

const ACCOUNT = `
  const { cloudFileAccounts } = ChromeUtils.importESModule("resource:///modules/cloudFileAccounts.sys.mjs");
  const account = cloudFileAccounts.accounts[0] ?? cloudFileAccounts.createAccount("ext-" + ${JSON.stringify(ADD_ON)});
  const fileAt = (path) => {
    const file = Cc["@mozilla.org/file/local;1"].createInstance(Ci.nsIFile);
    file.initWithPath(path);
    return file;
  };
`;

interface Upload {
  id: number;
  url: string;
  templateInfo: { service_name: string; download_expiry_date: { timestamp: number } };
}

/** The real Thunderbird uses the add-on. Needs Thunderbird, whose path may be in the variable THUNDERBIRD. */
export async function thunderbird(): Promise<boolean> {
  if (!existsSync(PROGRAM)) {
    console.log(`thunderbird: left out, because there is no ${PROGRAM}. On Debian: apt-get install thunderbird.`);
    return true;
  }
  const { problems } = await onServer(console.log, async (server) => {
    const folder = await mkdtemp(join(tmpdir(), "thunderbird-"));
    const port = await freePort();
    const program = await start(folder, port);
    try {
      const marionette = await Marionette.open(port);
      const rows = await prove(marionette, server.origin, folder);
      marionette.close();
      const text =
        "The real Thunderbird, without a screen, gets the add-on that the server serves, signs in by the code in the " +
        "add-on's settings, and uses it as its compose window does: a file becomes a link and is downloaded and " +
        "compared by SHA-256, is renamed and deleted, and an upload is stopped.";
      await report("Thunderbird [TB-1, TB-2, TB-3, TB-4]", text, rows);
      return { problems: rows.flatMap(([name, figure]) => (figure === "no" ? [name] : [])) };
    } finally {
      program.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });
  for (const problem of problems) console.log(`thunderbird: not so: ${problem}`);
  return problems.length === 0;
}

async function start(folder: string, port: number): Promise<ChildProcess> {
  const preferences = Object.entries({ ...PREFERENCES, "marionette.port": port });
  const lines = preferences.map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
  await writeFile(join(folder, "user.js"), lines.join("\n"));
  const args = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", folder];
  return spawn(PROGRAM, args, { stdio: "ignore", env: { ...process.env, HOME: folder } });
}

async function prove(marionette: Marionette, origin: string, folder: string): Promise<[string, string | number][]> {
  const rows: [string, string | number][] = [];
  const check = (name: string, holds: boolean) => rows.push([name, holds ? "yes" : "no"]);
  const version = await marionette.run<string>(`return Services.appinfo.name + " " + Services.appinfo.version;`);
  rows.push(["version", version]);
  await marionette.ask("Addon:Install", { path: PACKAGE, temporary: true });

  const person = await newPerson(origin);
  const accountKey = await marionette.run<string>(`${ACCOUNT} return account.accountKey;`);
  check("an account that is not signed in is not offered", !(await isConfigured(marionette)));
  const code = await openSettings(marionette, accountKey, origin);
  await fetch(`${origin}/api/auth/device/approve`, {
    method: "POST",
    headers: { "content-type": "application/json", origin, cookie: person.cookie },
    body: JSON.stringify({ userCode: code }),
  });
  check("the settings sign in by the code", await until(() => isConfigured(marionette)));
  const limit = await marionette.run<number>(
    `${ACCOUNT} return account.quota?.uploadSizeLimit ?? account.fileUploadSizeLimit;`,
  );
  check("Thunderbird knows the size limit", limit === 500 * MIB);

  const path = join(folder, "large.bin");
  const bytes = randomBytes(SIZE_BYTES);
  await writeFile(path, bytes);
  const upload = await marionette.run<Upload>(
    `${ACCOUNT}
    const { id, url, templateInfo } = await account.uploadFile(null, fileAt(given[0]), "Large file.bin");
    return { id, url, templateInfo };`,
    path,
  );
  const id = upload.url.split("/").at(-1) ?? "";
  const content = await fetch(`${origin}/api/files/download/${id}/content`);
  check(
    "an attachment is identical by SHA-256 behind its link",
    sha256(new Uint8Array(await content.arrayBuffer())) === sha256(bytes),
  );
  const info = async () => {
    const response = await fetch(`${origin}/api/files/download/${id}`);
    const { filename, expiresAt }: { filename?: string; expiresAt?: string } = await response.json();
    return { status: response.status, filename, expiresAt };
  };
  const { expiresAt = "", filename } = await info();
  check(
    "the message names the end of the link",
    upload.templateInfo.download_expiry_date.timestamp === Date.parse(expiresAt),
  );
  check("the link has the attachment's name", filename === "Large file.bin");
  await marionette.run(`${ACCOUNT} await account.renameFile(null, given[0], "Other name.bin");`, upload.id);
  check("a renamed attachment keeps its link", (await info()).filename === "Other name.bin");
  await marionette.run(`${ACCOUNT} await account.deleteFile(null, given[0]);`, upload.id);
  check("the link of a deleted attachment ends", (await info()).status === 410);

  const large = join(folder, "stopped.bin");
  await writeFile(large, "");
  await truncate(large, 400 * MIB);
  const stopped = await marionette.run<string>(
    `${ACCOUNT}
    const uploading = account.uploadFile(null, fileAt(given[0]), "Stopped.bin");
    const end = uploading.then(() => "sent", ({ result, message }) =>
      result === cloudFileAccounts.constants.uploadCancelled ? "stopped" : message);
    const { setTimeout } = ChromeUtils.importESModule("resource://gre/modules/Timer.sys.mjs");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await account.cancelFileUpload(null, fileAt(given[0]));
    return end;`,
    large,
  );
  check("a stopped upload ends as stopped", stopped === "stopped");
  return rows;
}

const isConfigured = (marionette: Marionette) => marionette.run<boolean>(`${ACCOUNT} return account.configured;`);

/** Opens the add-on's settings, types the site's address and presses the button. @returns the code that they show */
async function openSettings(marionette: Marionette, accountKey: string, origin: string): Promise<string> {
  const url = `settings.html?accountId=${accountKey}`;
  await marionette.run(
    `${IN_BACKGROUND} return inBackground(${JSON.stringify(`
      const frame = content.document.createElement("iframe");
      frame.src = ${JSON.stringify(url)};
      content.document.documentElement.append(frame);
      for (let field = null; !field; ) {
        await new Promise((resolve) => content.setTimeout(resolve, 100));
        field = frame.contentDocument?.querySelector("input");
      }
      frame.contentDocument.querySelector("input").value = ${JSON.stringify(origin)};
      frame.contentDocument.querySelector("button").click();`)});`,
  );
  const code = () =>
    marionette.run<string | null>(
      `${IN_BACKGROUND} return inBackground(${JSON.stringify(
        `return content.document.querySelector("iframe").contentDocument.querySelector(".code")?.textContent ?? null;`,
      )});`,
    );
  await until(async () => (await code()) !== null);
  return (await code()) ?? "";
}

/** @returns whether it was so within half a minute */
async function until(condition: () => Promise<boolean>): Promise<boolean> {
  const endsAt = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > endsAt) return false;
    await pause(500);
  }
  return true;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
