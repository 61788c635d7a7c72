import { finalize, init, put } from "./chunked.ts";
import { change, sendFile, signUp, type Client } from "./worker.ts";

/** An upload or a file as its two ids name it: its own, and its link's. */
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
  await change("update files set expires_at = 1 where id = ?", ids.uploadId);
  return ids;
}

async function failed(sender: Client): Promise<Ids> {
  const ids = await cancelled(sender, await sender.startUpload(5));
  await change("update files set status = 'failed' where id = ?", ids.uploadId);
  return ids;
}

/** Every kind of thing that an id of a file can stand for, and how somebody comes to have one. */
export const ID_KINDS = {
  /** Under way: in one PUT, in parts, in chunks, and a chunked one of no bytes at all. */
  small: (sender: Client): Promise<Ids> => sender.startUpload(5),
  inParts: (sender: Client): Promise<Ids> => sender.startUpload(IN_PARTS),
  inChunks: (sender: Client): Promise<Ids> => init(sender, 5),
  emptyInChunks: (sender: Client): Promise<Ids> => init(sender, 0),
  /** Finished, on either road. */
  finished: (sender: Client): Promise<Ids> => sendFile(sender, "hello"),
  finishedInChunks,
  /** Ended without a file. */
  cancelled: async (sender: Client): Promise<Ids> => cancelled(sender, await sender.startUpload(5)),
  cancelledInChunks: async (sender: Client): Promise<Ids> => cancelled(sender, await init(sender, 5)),
  failed,
  /** Files that are over. */
  deleted,
  expired,
  /** Somebody else's. */
  othersUpload: async (): Promise<Ids> => (await signUp()).startUpload(5),
  othersChunks: async (): Promise<Ids> => init(await signUp(), 5),
  othersFile: async (): Promise<Ids> => sendFile(await signUp(), "hello"),
  /** Well-formed, and nobody's. */
  unknown: (): Promise<Ids> => Promise.resolve({ uploadId: crypto.randomUUID(), downloadId: "A".repeat(22) }),
  /** Each id where the other belongs. */
  swapped: async (sender: Client): Promise<Ids> => {
    const { uploadId, downloadId } = await sender.startUpload(5);
    return { uploadId: downloadId, downloadId: uploadId };
  },
} satisfies Record<string, (sender: Client) => Promise<Ids>>;

export type IdKind = keyof typeof ID_KINDS;
