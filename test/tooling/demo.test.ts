// @module-tag long
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillDemo } from "../../scripts/demo/fill.ts";
import { claim } from "../../scripts/demo/refusal.ts";
import { DemoLinks } from "../../scripts/demo/links.ts";
import { ensureDevVars } from "../../scripts/dev-vars.ts";
import { queryLocally } from "../../scripts/local-query.ts";
import { prepareServer, type LocalServer } from "../../scripts/local-server.ts";

const PATIENCE_MS = 480_000;

let server: LocalServer;
beforeAll(async () => {
  server = await prepareServer();
  await server.start();
}, PATIENCE_MS);
afterAll(() => server.stop());

function fill() {
  return fillDemo({ origin: server.origin, folder: server.folder, admin: ensureDevVars() });
}

async function countRows(): Promise<Record<string, unknown>> {
  const tables = ["users", "files", "file_reports", "contact_submissions", "overview_days", "upload_requests"];
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  const [row = {}] = await queryLocally(`select ${counts.join(", ")}`, server.origin);
  return row;
}

describe("the demo", () => {
  it(
    "has an account on each plan, links in every state, reports and three months of numbers [DOOR-1]",
    { timeout: PATIENCE_MS },
    async () => {
      const links = await fill();
      const statusOf = async (name: string) => {
        const id = new URL(links.get(name).link).pathname.split("/").at(-1) ?? "";
        return (await fetch(`${server.origin}/api/files/download/${id}`)).status;
      };
      const names = ["photographs", "arriving", "limited", "locked", "sealed", "expired", "used up", "taken down"];
      const statuses = await Promise.all(names.map(statusOf));
      expect(statuses).toEqual([200, 200, 200, 401, 401, 410, 410, 410]);
      const users = await queryLocally("select email, plan_type, is_admin from users order by email", server.origin);
      expect(users).toEqual([
        { email: "administrator@example.com", plan_type: "free", is_admin: 1 },
        { email: "free@example.com", plan_type: "free", is_admin: 0 },
        { email: "professional@example.com", plan_type: "professional", is_admin: 0 },
        { email: "ultimate@example.com", plan_type: "ultimate", is_admin: 0 },
        { email: "used-up@example.com", plan_type: "free", is_admin: 0 },
      ]);
      const reports = await queryLocally("select outcome from file_reports order by outcome", server.origin);
      expect(reports.map(({ outcome }) => outcome)).toEqual([null, null, "dismissed", "taken-down"]);
      const received = await queryLocally(
        `select files.sender_name, files.forwarded_at is null as without_link, upload_requests.title
         from files join upload_requests on upload_requests.id = files.request_id
         where files.status = 'ready' order by files.sender_name`,
        server.origin,
      );
      expect(received).toEqual([
        { sender_name: "Lena Brook", without_link: 1, title: "Pictures of the party" },
        { sender_name: "Tom Rivers", without_link: 0, title: "Pictures of the party" },
      ]);
      const [{ days } = {}] = await queryLocally("select count(*) as days from overview_days", server.origin);
      expect(days).toBeGreaterThanOrEqual(91);
    },
  );

  it("has the same after a second run [DOOR-2]", { timeout: PATIENCE_MS }, async () => {
    const before = await countRows();
    await fill();
    expect(await countRows()).toEqual(before);
  });

  it("names its links with its present address", () => {
    const elsewhere = new DemoLinks(server.folder, "http://localhost:8799");
    expect(elsewhere.get("locked").link).toMatch(/^http:\/\/localhost:8799\/download\/[\w-]{22}$/);
    expect(elsewhere.get("sealed").link).toMatch(/^http:\/\/localhost:8799\/download\/[\w-]{22}#/);
  });

  it.each([
    ["in production", { APP_ENV: "production" }, 'APP_ENV is "production"'],
    ["with a bucket elsewhere", { S3_ENDPOINT: "https://bucket.example" }, "Unset S3_ENDPOINT"],
    ["with Stripe's key", { STRIPE_SECRET_KEY: "sk_live_1" }, "Unset STRIPE_SECRET_KEY"],
  ])("is refused %s [DOOR-3]", (_, settings, words) => {
    const env = { ...process.env, ...settings };
    const { status, stderr } = spawnSync(process.execPath, ["scripts/demo.ts"], { env, encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain(words);
  });

  it("is refused while another demo runs on the same data, and not after that one was killed [DOOR-3]", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mayfly-demo-"));
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    writeFileSync(join(folder, "demo.pid"), String(other.pid));
    const args = ["scripts/demo.ts", "--port", "8797", "--persist-to", folder];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringContaining(`Another demo (process ${other.pid}) uses the data`)]);
    other.kill();
    await once(other, "exit");
    expect(claim(folder)).toBeNull();
    rmSync(folder, { recursive: true });
  });
});
