import { finalize, init, put } from "./chunked.ts";
import { sendTransfer, startTransfer, textFile } from "./transfers.ts";
import { runSql, sendFile, signUp, type Client } from "./worker.ts";

export interface Ids {
  uploadId: string;
  downloadId: string;
}

const IN_PARTS = 16 * 1024 ** 2 + 1;

async function cancelled(sender: Client, ids: Ids): Promise<Ids> {
  await sender.post("/api/direct-upload/cancel", { downloadId: ids.downloadId });
  return ids;
}

async function finishedInChunks(sender: Client): Promise<Ids> {
  const ids = await init(sender, 5);
  await put(sender, ids.uploadId, 0, new Uint8Array(5));
  await finalize(sender, ids.uploadId);
  return ids;
}

async function deleted(sender: Client): Promise<Ids> {
  const ids = await sendFile(sender, "hello");
  await sender.delete(`/api/files/${ids.uploadId}`);
  return ids;
}

async function expired(sender: Client): Promise<Ids> {
  const ids = await sendFile(sender, "hello");
  await runSql("update files set expires_at = 1 where id = ?", ids.uploadId);
  return ids;
}

async function failed(sender: Client): Promise<Ids> {
  const ids = await cancelled(sender, await sender.startUpload(5));
  await runSql("update files set status = 'failed' where id = ?", ids.uploadId);
  return ids;
}

/** Entry 0 of "hello" is to be sent as object 0. */
function startOpen(sender: Client): Promise<Ids> {
  return startTransfer(sender, [textFile("a.txt", "hello")], { open: [{ object: 0, runs: [[0, 1]] }] });
}

/** Every kind of upload or file that the id of a single file can belong to, and how to create one. */
export const FILE_CASES = {
  // Unfinished uploads.
  small: (sender: Client): Promise<Ids> => sender.startUpload(5),
  inParts: (sender: Client): Promise<Ids> => sender.startUpload(IN_PARTS),
  inChunks: (sender: Client): Promise<Ids> => init(sender, 5),
  emptyInChunks: (sender: Client): Promise<Ids> => init(sender, 0),
  // Finished files.
  finished: (sender: Client): Promise<Ids> => sendFile(sender, "hello"),
  finishedInChunks,
  // Uploads that ended without a file.
  cancelled: async (sender: Client): Promise<Ids> => cancelled(sender, await sender.startUpload(5)),
  cancelledInChunks: async (sender: Client): Promise<Ids> => cancelled(sender, await init(sender, 5)),
  failed,
  // Files that can no longer be downloaded.
  deleted,
  expired,
  // Of another user.
  othersUpload: async (): Promise<Ids> => (await signUp()).startUpload(5),
  othersChunks: async (): Promise<Ids> => init(await signUp(), 5),
  othersFile: async (): Promise<Ids> => sendFile(await signUp(), "hello"),
  // Well-formed, but unknown.
  unknown: (): Promise<Ids> => Promise.resolve({ uploadId: crypto.randomUUID(), downloadId: "A".repeat(22) }),
  // Upload id and download id swapped.
  swapped: async (sender: Client): Promise<Ids> => {
    const { uploadId, downloadId } = await sender.startUpload(5);
    return { uploadId: downloadId, downloadId: uploadId };
  },
} satisfies Record<string, (sender: Client) => Promise<Ids>>;

/** The same of transfers of many files. */
export const TRANSFER_CASES = {
  transfer: (sender: Client): Promise<Ids> => startOpen(sender),
  finishedTransfer: (sender: Client): Promise<Ids> => sendTransfer(sender, [textFile("a.txt")]),
  cancelledTransfer: async (sender: Client): Promise<Ids> => cancelled(sender, await startOpen(sender)),
  othersTransfer: async (): Promise<Ids> => startOpen(await signUp()),
} satisfies Record<string, (sender: Client) => Promise<Ids>>;

export const ID_CASES = { ...FILE_CASES, ...TRANSFER_CASES };

export type IdCase = keyof typeof ID_CASES;
