import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { query } from "./support/database.ts";
import { chooseFile, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";

const SIZE_BYTES = 50 * MIB;
/** Interruptions: early, inside a part, and one byte before the end. */
const INTERRUPTIONS = [1, 3 * MIB + 7, 21 * MIB, SIZE_BYTES - 1];

test("an interrupted download resumes byte for byte while the file exists unchanged @everyday", async ({ page }) => {
  const path = await randomFile("long way.bin", SIZE_BYTES);
  const url = await upload(page, path);

  const hash = createHash("sha256");
  const { headers } = await fetch(url, { method: "HEAD" });
  const etag = headers.get("etag") ?? "";
  expect(headers.get("accept-ranges")).toBe("bytes");
  let receivedBytes = 0;
  for (const end of [...INTERRUPTIONS, SIZE_BYTES]) {
    const range = { range: `bytes=${receivedBytes}-`, "if-range": etag };
    const response = await fetch(url, receivedBytes === 0 ? {} : { headers: range });
    expect(response.status).toBe(receivedBytes === 0 ? 200 : 206);
    if (receivedBytes > 0)
      expect(response.headers.get("content-range")).toBe(`bytes ${receivedBytes}-${SIZE_BYTES - 1}/${SIZE_BYTES}`);
    for (const piece of await readBytes(response, end - receivedBytes)) hash.update(piece);
    receivedBytes = end;
  }
  expect(hash.digest("hex")).toBe(await sha256(path));

  const another = await fetch(url, { headers: { range: `bytes=${MIB}-`, "if-range": '"another"' } });
  expect([another.status, another.headers.get("content-length")]).toEqual([200, String(SIZE_BYTES)]);
  await another.body?.cancel();

  // After the deletion of the file a running download completes, and its continuation is rejected.
  const [id] = url.split("/").slice(-2);
  const running = await fetch(url);
  await query(`update files set deleted_at = ${Date.now()} where download_id = '${id}'`);
  const rejected = await fetch(url, { headers: { range: `bytes=${MIB}-`, "if-range": etag } });
  expect(rejected.status).toBe(410);
  expect((await running.arrayBuffer()).byteLength).toBe(SIZE_BYTES);
});

/** @returns the download URL */
async function upload(page: Page, path: string): Promise<string> {
  await signUp(page);
  await chooseFile(page, path);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible({ timeout: 90_000 });
  const link = new URL(await page.getByLabel("Share link").inputValue());
  return `${link.origin}/api/files${link.pathname}/content`;
}

/** Reads this many bytes of a response, then disconnects unless it is complete. */
async function readBytes(response: Response, lengthBytes: number): Promise<Uint8Array[]> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const pieces: Uint8Array[] = [];
  for (let remainingBytes = lengthBytes; remainingBytes > 0;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the response ended ${remainingBytes} bytes too early`);
    pieces.push(value.subarray(0, remainingBytes));
    remainingBytes -= Math.min(remainingBytes, value.length);
  }
  await reader.cancel();
  return pieces;
}
