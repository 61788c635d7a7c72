import { PART_CONTENT_TYPE, partRange, planParts } from "#domain/parts.ts";
import type { ProtectionAtStart, StartUploadAnswer } from "#domain/wire.ts";
import type { Account } from "./account.ts";
import { put } from "./http.ts";
import { PARTS_IN_FLIGHT } from "./store.ts";

/** Uploads bytes without a page. @returns the server's answer to the start */
export async function uploadByScript(
  account: Account,
  bytes: Uint8Array,
  guards: ProtectionAtStart = {},
): Promise<StartUploadAnswer> {
  const { started, complete } = await sendByScript(account, bytes, guards);
  await complete();
  return started;
}

export interface SentUpload {
  started: StartUploadAnswer;
  complete(): Promise<void>;
}

/**
 * Sends bytes without a page, and completes nothing.
 * @param onStarted called before the first part; if it is given, each part is reported as soon as it is stored, as a page
 *   does, and otherwise with the completion
 */
export async function sendByScript(
  account: Account,
  bytes: Uint8Array,
  guards: ProtectionAtStart = {},
  onStarted?: (started: StartUploadAnswer) => void,
): Promise<SentUpload> {
  const announced = { filename: "bench.bin", fileType: "", fileSize: bytes.byteLength, expiration: "1d", guards };
  const started = await account.post<StartUploadAnswer>("/api/direct-upload/presigned-url", announced);
  onStarted?.(started);
  const { downloadId, multipart } = started;
  const contentType = multipart ? PART_CONTENT_TYPE : started.fileData.contentType;
  const { partCount } = multipart ? planParts(bytes.byteLength) : { partCount: 1 };
  const known = new Map(started.urls.map(({ part, url }) => [part, url]));
  const urlOf = async (part: number) => {
    const url = known.get(part);
    if (url !== undefined) return url;
    const parts = Array.from({ length: Math.min(100, partCount - part + 1) }, (_, index) => part + index);
    const signed = account.post<Pick<StartUploadAnswer, "urls">>("/api/direct-upload/sign-parts", {
      downloadId,
      parts,
    });
    for (const more of (await signed).urls) known.set(more.part, more.url);
    return known.get(part) ?? "";
  };
  const receipts: { part: number; etag: string }[] = [];
  const waiting = Array.from({ length: partCount }, (_, index) => index + 1).values();
  const worker = async () => {
    for (const part of waiting) {
      const { start, end } = multipart ? partRange(bytes.byteLength, part) : { start: 0, end: bytes.byteLength };
      const etag = await put(await urlOf(part), bytes.subarray(start, end), contentType);
      if (!multipart) continue;
      receipts.push({ part, etag });
      if (!onStarted) continue;
      await account.post("/api/direct-upload/sign-parts", { downloadId, parts: [], receipts: receipts.slice(-1) });
    }
  };
  await Promise.all(Array.from({ length: PARTS_IN_FLIGHT }, worker));
  return {
    started,
    complete: async () => {
      await account.post("/api/direct-upload/complete", { downloadId, receipts });
    },
  };
}
