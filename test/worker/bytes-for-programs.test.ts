import { env, exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { contentPath, patternBytes, rowOf, sendFile, signUp, stopClockAt } from "../support/worker.ts";

const CURL = { "user-agent": "curl/8.5.0", accept: "*/*" };
const BROWSER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/140", accept: "text/html,*/*;q=0.8" };

const MIB = 1024 ** 2;

let person: Awaited<ReturnType<typeof signUp>>;
beforeEach(async () => {
  person = await signUp();
});

async function share(guards: Record<string, unknown> = {}, body: string | Uint8Array = "hello"): Promise<string> {
  const { downloadId } = await sendFile(person, body, { guards });
  return downloadId;
}

function send(path: string, init: RequestInit = {}): Promise<Response> {
  return exports.default.fetch(new Request(new URL(path, env.APP_ORIGIN), { ...init, redirect: "manual" }));
}

function ask(downloadId: string, headers: Record<string, string> = CURL, method = "GET"): Promise<Response> {
  return send(`/download/${downloadId}`, { method, headers });
}

/** Follows the redirect as `curl -L` does: without cookies. */
async function get(downloadId: string, headers: Record<string, string> = CURL): Promise<[number, string]> {
  const response = await ask(downloadId, headers);
  if (response.status !== 302) return [response.status, await response.text()];
  const bytes = await send(response.headers.get("location") ?? "", { headers });
  return [bytes.status, await bytes.text()];
}

const withPassword = (password: string) => ({ ...CURL, authorization: `Basic ${btoa(`:${password}`)}` });
const downloads = (downloadId: string) =>
  rowOf("select downloads_used as used from files where download_id = ?", downloadId);

describe("a link that curl asks for", () => {
  it("redirects to the bytes, and a browser gets the page", async () => {
    const downloadId = await share();
    const response = await ask(downloadId);
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      `${env.APP_ORIGIN}${contentPath(downloadId)}`,
    ]);
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(await get(downloadId)).toEqual([200, "hello"]);
    expect((await ask(downloadId, BROWSER)).status).toBe(200);
    expect((await ask(downloadId, { ...CURL, accept: "text/html" })).status).toBe(200);
    expect((await ask(downloadId, CURL, "HEAD")).status).toBe(302);
  });

  it("with a password needs it", async () => {
    const downloadId = await share({ password: "open sesame" });
    expect(await get(downloadId)).toEqual([
      401,
      "This link is protected with a password. Send it with: curl -u :PASSWORD",
    ]);
    expect((await get(downloadId, withPassword("another one")))[0]).toBe(403);
    expect(await get(downloadId, withPassword("open sesame"))).toEqual([200, "hello"]);
  });

  it("with a limit takes a download by GET, and none by HEAD", async () => {
    const downloadId = await share({ maxDownloads: 1, password: "open sesame" });
    expect((await ask(downloadId, withPassword("open sesame"), "HEAD")).status).toBe(302);
    expect(await get(downloadId, withPassword("open sesame"))).toEqual([200, "hello"]);
    await expect.poll(() => downloads(downloadId)).toEqual({ used: 1 });
    expect((await get(downloadId, withPassword("open sesame")))[0]).toBe(410);
  });

  it("with a limit has its place until a program reads the first byte [SEND-6]", async () => {
    const downloadId = await share({ maxDownloads: 1 });
    for (let time = 0; time < 3; time += 1) expect((await ask(downloadId)).status).toBe(302);
    expect(await get(downloadId, { "user-agent": "Wget/1.21.3", accept: "*/*" })).toEqual([200, "hello"]);
    await expect.poll(() => downloads(downloadId)).toEqual({ used: 1 });
    expect((await get(downloadId))[0]).toBe(410);
  });

  it("with a limit goes on where the same program broke off, and another one waits [SEND-6]", async () => {
    const downloadId = await share({ maxDownloads: 1 }, patternBytes(4 * MIB, 3));
    const from = (address: string) => ({ ...CURL, "cf-connecting-ip": address });
    const open = async (headers: Record<string, string>) => {
      const redirect = await ask(downloadId, headers);
      return send(redirect.headers.get("location") ?? "", { headers });
    };
    const broken = await open(from("192.0.2.1"));
    await broken.body?.cancel();
    expect((await open(from("192.0.2.2"))).status).toBe(409);
    expect((await open({ ...from("192.0.2.1"), "user-agent": "Wget/1.21.3" })).status).toBe(409);
    const again = await open(from("192.0.2.1"));
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([200, 4 * MIB]);
    await expect.poll(() => downloads(downloadId)).toEqual({ used: 1 });
    expect((await ask(downloadId, from("192.0.2.1"))).status).toBe(410);
  });

  it("with a limit gives parts to connections of the same program at once, and counts them once", async () => {
    const downloadId = await share({ maxDownloads: 1 }, patternBytes(MIB, 5));
    const parts = [0, 1, 2, 3].map((part) => `bytes=${(part * MIB) / 4}-${((part + 1) * MIB) / 4 - 1}`);
    const statuses = parts.map(async (range) => {
      const headers = { "user-agent": "aria2/1.36.0", accept: "*/*", range };
      const redirect = await ask(downloadId, headers);
      const response = await send(redirect.headers.get("location") ?? "", { headers });
      await response.arrayBuffer();
      return response.status;
    });
    expect(await Promise.all(statuses)).toEqual([206, 206, 206, 206]);
    await expect.poll(() => downloads(downloadId)).toEqual({ used: 1 });
  });

  it("with a limit stays a download that was taken for the address it was redirected to", async () => {
    const downloadId = await share({ maxDownloads: 1 });
    const now = Date.now();
    stopClockAt(now);
    const location = (await ask(downloadId)).headers.get("location") ?? "";
    expect(await (await send(location, { headers: CURL })).text()).toBe("hello");
    await expect.poll(() => downloads(downloadId)).toEqual({ used: 1 });
    expect(await (await send(location, { headers: CURL })).text()).toBe("hello");
    stopClockAt(now + 61 * 60_000);
    expect((await send(location, { headers: CURL })).status).toBe(410);
  });

  it("and that a preview reads first keeps its card and its downloads [SEND-13]", async () => {
    const downloadId = await share({ maxDownloads: 1 });
    for (const agent of [
      "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
      "WhatsApp/2",
      "Twitterbot/1.0",
    ]) {
      const response = await ask(downloadId, { "user-agent": agent, accept: "*/*", range: "bytes=0-32768" });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('property="og:title"')]);
    }
    expect(await downloads(downloadId)).toEqual({ used: 0 });
    expect(await get(downloadId)).toEqual([200, "hello"]);
  });

  it.each(["/", ".", ")", "%20", "%E2%80%8B", "…"])("leads to the bytes with %j behind it", async (ending) => {
    const downloadId = await share();
    const response = await ask(`${downloadId}${ending}`);
    expect([response.status, response.headers.get("location")]).toEqual([302, `/download/${downloadId}`]);
  });

  it("that does not exist or has been deleted answers as its page", async () => {
    expect((await get("A".repeat(22)))[0]).toBe(404);
    const { uploadId, downloadId } = await sendFile(person, "hello");
    await person.delete(`/api/files/${uploadId}`);
    expect((await get(downloadId))[0]).toBe(410);
  });
});
