import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, MIB } from "#domain/units.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import { TransferSession } from "#durable-objects/transfer/transfer-session.ts";
import { UploadSession } from "#durable-objects/upload/upload-session.ts";
import { namespaceWithEnv } from "../support/durable-objects-with-env.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import { EACH_WAY, newestFile, newUploader, sendInParts, type Uploader } from "../support/ways-to-upload.ts";
import { answerOf, Client, monthlyUsage, patternBytes, putOnPlan, runSql, sendFile } from "../support/worker.ts";
import { workerWith } from "../support/worker-with-env.ts";

const program = () => new Uint8Array(new TextEncoder().encode(`MZ ${crypto.randomUUID()}`));
const text = () => new Uint8Array(new TextEncoder().encode(crypto.randomUUID()));

let uploader: Uploader;

const infoOf = async (downloadId: string): Promise<DownloadInfo> =>
  (await new Client().fetch(`/api/files/download/${downloadId}`)).json();

interface Row {
  downloadId: string;
  risk: string | null;
  requestId: string | null;
  status: string;
}
const newest = () => newestFile<Row>(uploader, "download_id as downloadId, risk, request_id as requestId, status");

/** Makes the uploader's account one that is neither new nor free. */
async function earnTrust(): Promise<void> {
  await putOnPlan(uploader.person.email, "professional");
  await runSql("update users set created_at = created_at - ? where id = ?", 31 * DAY_MS, uploader.person.id);
}

beforeEach(async () => {
  uploader = await newUploader();
});

describe("a risky file", () => {
  it.each(EACH_WAY)("by its bytes is known when it comes by %s [RISK-1]", async (_way, send) => {
    expect((await send(uploader, program(), "holiday.txt")).status).toBeLessThan(300);
    const { risk, requestId, downloadId } = await newest();
    expect(risk).toBe('["program"]');
    if (requestId === null) expect((await infoOf(downloadId)).risk).toEqual(["program"]);
  });

  it.each(EACH_WAY)("by its name is known when it comes by %s [RISK-1]", async (_way, send) => {
    await send(uploader, text(), "run.ps1");
    expect((await newest()).risk).toBe('["script"]');
  });

  it.each(EACH_WAY)("is nothing that comes by %s and is text", async (_way, send) => {
    await send(uploader, text(), "a.txt");
    const { risk, requestId, downloadId } = await newest();
    expect(risk).toBeNull();
    if (requestId === null) expect("risk" in (await infoOf(downloadId))).toBe(false);
  });

  it("in parts, and as a large file of a transfer, is known by its bytes", async () => {
    const bytes = patternBytes(17 * MIB);
    bytes.set(program());
    await sendInParts(uploader.person, bytes, null);
    expect((await newest()).risk).toBe('["program"]');
    await sendTransfer(uploader.person, [{ ...textFile("large.bin"), bytes }]);
    expect((await newest()).risk).toBe('["program"]');
  });

  it("is warned of while its sender's account is free or new, and not later [RISK-2]", async () => {
    const { downloadId } = await sendFile(uploader.person, program());
    const isWarned = async () => (await infoOf(downloadId)).risk !== undefined;
    expect(await isWarned()).toBe(true);
    await earnTrust();
    expect(await isWarned()).toBe(false);
    await putOnPlan(uploader.person.email, "free");
    expect(await isWarned()).toBe(true);
    await putOnPlan(uploader.person.email, "ultimate");
    await runSql("update users set created_at = ? where id = ?", Date.now() - 29 * DAY_MS, uploader.person.id);
    expect(await isWarned()).toBe(true);
  });

  it("has a warning in plain words before the button, in both languages [RISK-2]", async () => {
    const { downloadId } = await sendFile(uploader.person, program(), { filename: "setup.txt" });
    for (const [language, sentence, button] of [
      ["en", "This is a program.", "Download"],
      ["de", "Das ist ein Programm.", "Herunterladen"],
    ] as const) {
      const headers = { accept: "text/html", "accept-language": language };
      const page = await (await new Client().fetch(`/download/${downloadId}`, { headers })).text();
      expect(page).toContain(sentence);
      expect(page.indexOf(sentence)).toBeLessThan(page.lastIndexOf(`${button}</a>`));
    }
    await sendTransfer(uploader.person, [textFile("a.bat"), textFile("b.iso")]);
    expect((await infoOf((await newest()).downloadId)).risk).toEqual(["script", "disk-image"]);
  });
});

describe("with REFUSED_KINDS=program,script", () => {
  beforeEach(async () => {
    const environment: Env = { ...env, REFUSED_KINDS: "program,script" };
    environment.UPLOADS = namespaceWithEnv(env.UPLOADS, UploadSession, environment);
    environment.TRANSFERS = namespaceWithEnv(env.TRANSFERS, TransferSession, environment);
    uploader = await newUploader(workerWith(environment));
  });

  it.each(EACH_WAY)("a program is refused by its bytes when it comes by %s [RISK-3]", async (_way, send) => {
    const [status, body] = await answerOf(send(uploader, program(), "holiday.txt"));
    expect([status, body["code"]]).toEqual([415, "KIND_REFUSED"]);
    expect((await newest()).status).toBe("failed");
    expect(await monthlyUsage(uploader.person.email)).toEqual({ bytes: 0, transfers: 0 });
  });

  it.each(EACH_WAY)("a script is refused by its name when it comes by %s [RISK-3]", async (_way, send) => {
    const answer = await send(uploader, text(), "run.ps1").then(answerOf, (error: unknown) => [0, String(error)]);
    expect(JSON.stringify(answer)).toContain("KIND_REFUSED");
  });

  it.each(EACH_WAY)("other files are taken by %s", async (_way, send) => {
    expect((await send(uploader, text(), "page.html")).status).toBeLessThan(300);
  });
});
