import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limitFor, type PlanId } from "#domain/plans.ts";
import { EXPIRATIONS, type Expiration } from "#domain/expiry.ts";
import { DAY_MS, MIB } from "#domain/units.ts";
import {
  runSql,
  Client,
  contentPath,
  monthlyUsage,
  putOnPlan,
  rowOf,
  sendFile,
  signUp,
  stopClockAt,
} from "../support/worker.ts";

const START = "/api/direct-upload/presigned-url";
const REQUEST = { filename: "a.txt", fileType: "text/plain", fileSize: 5, expiration: "1d" };

async function filesOf(email: string): Promise<number> {
  const { n } = await rowOf<{ n: number }>(
    "select count(*) as n from files where user_id = (select id from users where email = ?)",
    email,
  );
  return n;
}

describe("starting an upload", () => {
  it("answers the presigned URL, the link and the expiry [API-14, ENT-24, UP-16]", async () => {
    const now = Date.now();
    stopClockAt(now);
    const person = await signUp();
    const answer = await person.startUpload(5, { filename: "photo.png", fileType: "" });
    expect(answer).toMatchObject({
      presignedUrl: expect.stringContaining(`/mayfly/incoming/${answer.uploadId}?`) as string,
      uploadId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      downloadId: expect.stringMatching(/^[\w-]{22}$/) as string,
      shareUrl: `${env.APP_ORIGIN}/download/${answer.downloadId}`,
      fileData: { contentType: "image/png" },
      expiresAt: new Date(now + DAY_MS).toISOString(),
    });
    expect(answer).not.toHaveProperty("multipart");
    const signed = new URL(answer.presignedUrl).searchParams.get("X-Amz-SignedHeaders");
    expect(signed).toContain("content-length");
    expect(signed).toContain("content-type");
  });

  it("splits a file above 16 MiB into parts and does not reveal the store's upload id [API-15]", async () => {
    const { multipart, presignedUrl, uploadId, urls } = await (await signUp()).startUpload(16 * MIB + 1);
    expect(multipart).toMatchObject({ partSizeBytes: 8 * MIB, partCount: 3 });
    expect(urls[0]).toEqual({ part: 1, url: presignedUrl });
    const url = new URL(presignedUrl);
    expect(url.pathname).toMatch(`/files/${uploadId}`);
    expect(url.searchParams.get("partNumber")).toBe("1");
    expect(url.searchParams.get("uploadId")).not.toBe(uploadId);
    // Storage refuses the whole file: the length of the first part is signed.
    expect(url.searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host");
  });

  it("is rejected without an account before anything else is checked [ROLE-2]", async () => {
    const response = await new Client().post(START, REQUEST);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "UNAUTHORIZED", requiresAuth: true });
  });

  it.each([
    ["no name", { filename: undefined }],
    ["an empty name", { filename: "" }],
    ["a name of spaces", { filename: "  " }],
    ["a name of 256 characters", { filename: "n".repeat(256) }],
    ["a name that is no text", { filename: 7 }],
    ["a path for a name", { filename: "../secret.txt" }],
    ["a Windows path for a name", { filename: "a\\b.txt" }],
    ["a line feed in the name", { filename: "a\r\nset-cookie: b" }],
    ["half a character in the name", { filename: "a\ud83d" }],
    ["a type that is no text", { fileType: 7 }],
    ["no size", { fileSize: undefined }],
    ["a negative size", { fileSize: -1 }],
    ["half a byte", { fileSize: 1.5 }],
    ["a size in words", { fileSize: "5" }],
    ["an absurd size", { fileSize: 1e300 }],
    ["an unknown expiration", { expiration: "2d" }],
    ["an expiration that is no text", { expiration: 3 }],
  ])("answers 400 to %s and reserves no quota [API-14]", async (_what, fault) => {
    const person = await signUp();
    const response = await person.post(START, { ...REQUEST, ...fault });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.any(String) as string,
      field: Object.keys(fault)[0],
      received: expect.arrayContaining(["expiration"]) as string[],
    });
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
    expect(await filesOf(person.email)).toBe(0);
  });

  it("accepts a name of 255 characters and an empty file", async () => {
    const person = await signUp();
    const { downloadId } = await sendFile(person, "", { filename: "n".repeat(255) });
    const response = await new Client().fetch(contentPath(downloadId));
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });

  it("expires after three days by default", async () => {
    const now = Date.now();
    stopClockAt(now);
    const { expiresAt } = await (await signUp()).startUpload(5, { expiration: undefined });
    expect(Date.parse(expiresAt ?? "")).toBe(now + 3 * DAY_MS);
  });
});

describe("what a plan allows", () => {
  it.each<[PlanId, number, number, object]>([
    ["free", 500 * 1024 ** 2, 403, { code: "PLAN_LIMIT_EXCEEDED", planLimitExceeded: true }],
    ["professional", 10 * 1024 ** 3, 403, { code: "PLAN_LIMIT_EXCEEDED", planLimitExceeded: true }],
    ["ultimate", 50 * 1024 ** 3, 413, { code: "FILE_TOO_LARGE" }],
  ])(
    "%s accepts a file of %i bytes and not a byte more [CONST-3, ROLE-4, ROLE-5]",
    async (plan, fileSize, status, error) => {
      const person = await signUp();
      await putOnPlan(person.email, plan);
      const over = await person.post(START, { ...REQUEST, fileSize: fileSize + 1 });
      expect([over.status, await over.json()]).toEqual([status, expect.objectContaining(error)]);
      expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
      expect((await person.post(START, { ...REQUEST, fileSize })).status).toBe(200);
      expect(await monthlyUsage(person.email)).toEqual({ bytes: fileSize, transfers: 1 });
    },
  );

  it.each<[PlanId, Expiration[]]>([
    ["free", ["3m", "6h", "1d", "3d"]],
    ["professional", ["3m", "6h", "1d", "3d", "7d", "30d", "60d"]],
    ["ultimate", ["3m", "6h", "1d", "3d", "7d", "30d", "60d", "1y", "never"]],
  ])(
    "%s may choose %j; any other expiration is 403 with planLimitExceeded [API-14, CONST-6, ROLE-4, ROLE-5, VAL-27]",
    async (plan, allowed) => {
      const person = await signUp();
      await putOnPlan(person.email, plan);
      for (const expiration of EXPIRATIONS) {
        const response = await person.post(START, { ...REQUEST, expiration });
        expect([expiration, response.status]).toEqual([expiration, allowed.includes(expiration) ? 200 : 403]);
        if (!response.ok) expect(await response.json()).toMatchObject({ planLimitExceeded: true });
      }
    },
  );

  it("answers 403 with planLimitExceeded when the month's bytes or transfers are used up [CONST-4, CONST-5]", async () => {
    const person = await signUp();
    const { monthBytes, monthTransfers } = limitFor("free");
    const use = "update users set monthly_upload_total = ?, monthly_transfer_count = ? where email = ?";
    await runSql(use, monthBytes - 4, 0, person.email);
    const bytes = await person.post(START, REQUEST);
    expect(bytes.status).toBe(403);
    expect(await bytes.json()).toMatchObject({ planLimitExceeded: true, code: "PLAN_LIMIT_EXCEEDED" });
    await runSql(use, 0, monthTransfers, person.email);
    const transfers = await person.post(START, REQUEST);
    expect(transfers.status).toBe(403);
    expect(await transfers.json()).toMatchObject({ planLimitExceeded: true });
    await runSql(use, monthBytes - 5, monthTransfers - 1, person.email);
    expect((await person.post(START, REQUEST)).status).toBe(200);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: monthBytes, transfers: monthTransfers });
  });

  it.each([
    ["bytes", { bytes: limitFor("free").monthBytes - 1000, transfers: 0 }],
    ["transfers", { bytes: 0, transfers: limitFor("free").monthTransfers - 1 }],
  ])("accepts exactly one of 50 parallel starts for the last free %s", async (_what, used) => {
    const person = await signUp();
    await runSql(
      "update users set monthly_upload_total = ?, monthly_transfer_count = ? where email = ?",
      used.bytes,
      used.transfers,
      person.email,
    );
    const starts = Array.from({ length: 50 }, () => person.post(START, { ...REQUEST, fileSize: 1000 }));
    const statuses = (await Promise.all(starts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 403)).toHaveLength(49);
    expect(await filesOf(person.email)).toBe(1);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: used.bytes + 1000, transfers: used.transfers + 1 });
  });
});
