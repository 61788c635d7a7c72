import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Client, contentPath, rowOf, sendFile, signUp } from "../support/worker.ts";

const CURL = { "user-agent": "curl/8.5.0", accept: "*/*" };
const BROWSER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/140", accept: "text/html,*/*;q=0.8" };

let person: Awaited<ReturnType<typeof signUp>>;
beforeEach(async () => {
  person = await signUp();
});

async function share(guards: Record<string, unknown> = {}): Promise<string> {
  const { downloadId } = await sendFile(person, "hello", { guards });
  return downloadId;
}

function ask(downloadId: string, headers: Record<string, string> = CURL, method = "GET"): Promise<Response> {
  return new Client().fetch(`/download/${downloadId}`, { method, headers, redirect: "manual" });
}

/** Follows the redirect as `curl -L` does: without cookies. */
async function get(downloadId: string, headers: Record<string, string> = CURL): Promise<[number, string]> {
  const response = await ask(downloadId, headers);
  if (response.status !== 302) return [response.status, await response.text()];
  const bytes = await new Client().fetch(response.headers.get("location") ?? "", { headers });
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

  it("that does not exist or has been deleted answers as its page", async () => {
    expect((await get("A".repeat(22)))[0]).toBe(404);
    const { uploadId, downloadId } = await sendFile(person, "hello");
    await person.delete(`/api/files/${uploadId}`);
    expect((await get(downloadId))[0]).toBe(410);
  });
});
