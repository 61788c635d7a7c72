import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { CALL_LIMITS } from "#domain/rate-limits.ts";
import { HOUR_MS, MIB } from "#domain/units.ts";
import type { ListedFile } from "#domain/wire.ts";
import { createApp } from "#worker/app.ts";
import { mailTo } from "../support/mails.ts";
import { runSql, Client, contentPath, putOnPlan, sendFile, signUp } from "../support/worker.ts";

async function listOf(person: Client): Promise<ListedFile[]> {
  return (await person.fetch("/api/files")).json();
}

describe("changing a file", () => {
  function patch(person: Client, id: string, body: unknown): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return person.fetch(`/api/files/${id}`, { method: "PATCH", headers, body: JSON.stringify(body) });
  }

  it("renaming keeps the link and changes the name of downloads", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendFile(person, "hello", { filename: "draft.txt" });
    const response = await patch(person, uploadId, { filename: "final ü.txt" });
    expect([response.status, await response.json()]).toMatchObject([200, { id: uploadId, filename: "final ü.txt" }]);
    const download = await new Client().fetch(contentPath(downloadId));
    expect(download.headers.get("content-disposition")).toContain("final%20%C3%BC.txt");
    expect((await listOf(person))[0]?.filename).toBe("final ü.txt");
  });

  it("a new expiry is shorter or longer, counted from the upload [DASH-4]", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello", { expiration: "1d" });
    const uploadedAt = Date.now() - 2 * HOUR_MS;
    await runSql("update files set uploaded_at = ? where id = ?", uploadedAt, uploadId);
    for (const [expiration, ttlMs] of [
      ["6h", 6 * HOUR_MS],
      ["3d", 72 * HOUR_MS],
    ] as const) {
      const response = await patch(person, uploadId, { expiration });
      expect(await response.json()).toMatchObject({
        expiration,
        expiresAt: new Date(uploadedAt + ttlMs).toISOString(),
      });
      expect((await listOf(person))[0]?.expiresAt).toBe(new Date(uploadedAt + ttlMs).toISOString());
    }
  });

  it("a chosen expiry of 3 days applies to a large file instead of the shorter automatic one", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    await runSql("update files set size = ?, uploaded_at = ? where id = ?", 300 * MIB, Date.now(), uploadId);
    const { uploadedAt, expiresAt } = await (await patch(person, uploadId, { expiration: "3d" })).json<ListedFile>();
    expect(Date.parse(expiresAt ?? "") - Date.parse(uploadedAt)).toBe(72 * HOUR_MS);
  });

  it("'never' is allowed only on a plan that keeps files forever, and otherwise 403", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    for (const expiration of ["7d", "never"]) {
      const refused = await patch(person, uploadId, { expiration });
      expect([refused.status, await refused.json()]).toMatchObject([403, { planLimitExceeded: true }]);
    }
    await putOnPlan(person.email, "ultimate");
    expect(await (await patch(person, uploadId, { expiration: "never" })).json()).toMatchObject({ expiresAt: null });
  });

  it("an expiry in the past is rejected, and an expired or deleted file cannot be changed", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello", { expiration: "1d" });
    const before = await listOf(person);
    await runSql("update files set uploaded_at = uploaded_at - 600000 where id = ?", uploadId);
    expect((await patch(person, uploadId, { expiration: "3m" })).status).toBe(400);
    await runSql("update files set uploaded_at = uploaded_at + 600000 where id = ?", uploadId);
    expect(await listOf(person)).toEqual(before);
    await runSql("update files set expires_at = ? where id = ?", Date.now(), uploadId);
    for (const body of [{ expiration: "3d" }, { filename: "b.txt" }]) {
      expect((await patch(person, uploadId, body)).status).toBe(410);
    }
    await person.fetch(`/api/files/${uploadId}`, { method: "DELETE" });
    expect((await patch(person, uploadId, { expiration: "3d" })).status).toBe(404);
  });

  it("only its owner can change a file", async () => {
    const owner = await signUp();
    const { uploadId } = await sendFile(owner, "hello", { filename: "mine.txt" });
    expect((await patch(await signUp(), uploadId, { filename: "yours.txt" })).status).toBe(404);
    expect((await patch(new Client(), uploadId, { filename: "yours.txt" })).status).toBe(401);
    expect((await listOf(owner))[0]?.filename).toBe("mine.txt");
  });

  it.each([
    ["nothing", {}],
    ["a name that is a path", { filename: "../a" }],
    ["no name", { filename: "" }],
    ["a name with a direction override", { filename: "gpj.\u202Eexe" }],
    ["an expiration nobody offers", { expiration: "2y" }],
  ])("changing a file to %s is 400", async (_what, body) => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    expect((await patch(person, uploadId, body)).status).toBe(400);
  });
});

describe("sharing a link by email", () => {
  const api = createApp();

  it("the mail contains the sender, the link and the note, with HTML escaped", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendFile(person, "hello", { filename: "<b>plan.txt" });
    const to = `friend-${crypto.randomUUID()}@example.com`;
    const response = await person.post(`/api/files/${uploadId}/share`, {
      email: to,
      note: "See <script>here</script>",
    });
    expect(response.status).toBe(200);
    const mail = await mailTo(to);
    expect(mail.subject).toContain(person.email);
    expect(mail.html).toContain(`${env.APP_ORIGIN}/download/${downloadId}`);
    expect(mail.html).not.toMatch(/<script>|<b>plan/);
    expect(mail.text).toContain("<b>plan.txt");
  });

  it("sharing is rejected for another user's file, an expired file, a visitor and an invalid address", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    const share = (who: Client, email = "friend@example.com") => who.post(`/api/files/${uploadId}/share`, { email });
    expect((await share(await signUp())).status).toBe(404);
    expect((await share(new Client())).status).toBe(401);
    expect((await share(person, "friend")).status).toBe(400);
    expect((await share(person, "a@example.com\r\nBcc: b@example.com")).status).toBe(400);
    await runSql("update files set expires_at = ? where id = ?", Date.now(), uploadId);
    expect((await share(person)).status).toBe(410);
  });

  it("sharing is limited per account", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    const limited = new Client(person.cookie, (request) => api.fetch(request, { ...env, RATE_LIMITS: "on" }));
    const statuses: number[] = [];
    for (let mail = 0; mail <= CALL_LIMITS.shareByMail[0].maxCalls; mail += 1) {
      statuses.push((await limited.post(`/api/files/${uploadId}/share`, { email: "friend@example.com" })).status);
    }
    expect(statuses.slice(-2)).toEqual([200, 429]);
  });
});
