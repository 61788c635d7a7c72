import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { query } from "./support/database.ts";
import { choose, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";

const MIB = 1024 * 1024;
const SIZE_BYTES = 50 * MIB;
/** Where the line breaks: early, amid a part, and one byte before the end. */
const CUTS = [1, 3 * MIB + 7, 21 * MIB, SIZE_BYTES - 1];

test("a download that breaks off goes on byte for byte, as long as the file is the same and there", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const path = await randomFile("long way.bin", SIZE_BYTES);
  const url = await upload(page, path);

  const hash = createHash("sha256");
  const { headers } = await fetch(url, { method: "HEAD" });
  const etag = headers.get("etag") ?? "";
  expect(headers.get("accept-ranges")).toBe("bytes");
  let got = 0;
  for (const cut of [...CUTS, SIZE_BYTES]) {
    const range = { range: `bytes=${got}-`, "if-range": etag };
    const response = await fetch(url, got === 0 ? {} : { headers: range });
    expect(response.status).toBe(got === 0 ? 200 : 206);
    if (got > 0) expect(response.headers.get("content-range")).toBe(`bytes ${got}-${SIZE_BYTES - 1}/${SIZE_BYTES}`);
    for (const piece of await take(response, cut - got)) hash.update(piece);
    got = cut;
  }
  expect(hash.digest("hex")).toBe(await sha256(path));

  const another = await fetch(url, { headers: { range: `bytes=${MIB}-`, "if-range": '"another"' } });
  expect([another.status, another.headers.get("content-length")]).toEqual([200, String(SIZE_BYTES)]);
  await another.body?.cancel();

  // Revoked: what has begun is not cut, its continuation is refused.
  const [id] = url.split("/").slice(-2);
  const begun = await fetch(url);
  await query(`update files set deleted_at = ${Date.now()} where download_id = '${id}'`);
  const refused = await fetch(url, { headers: { range: `bytes=${MIB}-`, "if-range": etag } });
  expect(refused.status).toBe(410);
  expect((await begun.arrayBuffer()).byteLength).toBe(SIZE_BYTES);
});

/** @returns where the file's bytes are */
async function upload(page: Page, path: string): Promise<string> {
  await signUp(page);
  await choose(page, path);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible({ timeout: 90_000 });
  const link = new URL(await page.getByLabel("Share link").inputValue());
  return `${link.origin}/api/files${link.pathname}/content`;
}

/** Reads exactly so many bytes of an answer, and hangs up unless that was all of it. */
async function take(response: Response, lengthBytes: number): Promise<Uint8Array[]> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const pieces: Uint8Array[] = [];
  for (let left = lengthBytes; left > 0;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the answer ended ${left} bytes too early`);
    pieces.push(value.subarray(0, left));
    left -= Math.min(left, value.length);
  }
  await reader.cancel();
  return pieces;
}
