import { logError } from "#worker/log.ts";
import { numberedKey } from "#worker/storage/keys.ts";
import { abortMultipart, createMultipart } from "#worker/storage/objects.ts";
import type { ObjectPhase } from "./object.ts";
import type { TransferStore } from "./store.ts";

/** An object may hold the bytes of several files, which no browser renders by itself. */
const OBJECT_CONTENT_TYPE = "application/octet-stream";

/** Creates the missing multipart uploads of open objects. @returns false if storage did not answer */
export async function createUploads(bucket: R2Bucket, store: TransferStore, objects: number[]): Promise<boolean> {
  const { fileId } = store.find()?.plan ?? { fileId: "" };
  const created = await Promise.allSettled(
    [...new Set(objects)].map(async (number) => {
      const object = store.objects.find(number);
      if (object?.phase !== "open" || object.r2UploadId !== null) return;
      const r2UploadId = await createMultipart(bucket, numberedKey(fileId, number), OBJECT_CONTENT_TYPE);
      const current = store.objects.find(number);
      if (current?.phase === "open" && current.r2UploadId === null) store.objects.save({ ...current, r2UploadId });
      // While R2 created this multipart upload, a parallel call stored another one, or the sender dropped the object.
      else await abortMultipart(bucket, numberedKey(fileId, number), r2UploadId);
    }),
  );
  return created.every(({ status }) => status === "fulfilled");
}

/** How many multipart uploads are aborted at the same time. */
const PARALLEL_ABORTS = 6;

/** Aborts the multipart uploads of dropped or rejected objects. The alarm repeats failed aborts. */
export async function abortUploads(bucket: R2Bucket, store: TransferStore, ...phases: ObjectPhase[]): Promise<void> {
  const { fileId } = store.find()?.plan ?? { fileId: "" };
  const unjoined = store.objects.list(...phases).filter(({ r2UploadId }) => r2UploadId !== null);
  for (let at = 0; at < unjoined.length; at += PARALLEL_ABORTS) {
    const aborts = unjoined.slice(at, at + PARALLEL_ABORTS).map(async (object) => {
      await abortMultipart(bucket, numberedKey(fileId, object.object), object.r2UploadId ?? "");
      const phase = object.phase === "rejected" ? "rejected" : "dropped";
      store.objects.save({ ...object, phase, r2UploadId: null });
    });
    await Promise.all(aborts);
  }
}

/** Aborts the multipart uploads of dropped or rejected objects. The alarm repeats failed aborts. */
export async function abortUnused(bucket: R2Bucket, store: TransferStore): Promise<void> {
  try {
    await abortUploads(bucket, store, "dropped", "rejected");
  } catch (error) {
    logError("transfer.abort_failed", error, { uploadId: store.find()?.plan.fileId });
  }
}
