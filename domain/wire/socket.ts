import * as z from "zod/mini";
import { picturesMessage } from "./pictures.ts";
import { completedPart } from "./uploads.ts";

/** The largest message on a socket (decision 019). */
export const SOCKET_MESSAGE_MAX_BYTES = 4096;

/** As many parts as fit into one socket message with ETags of the maximum length. */
export const COMPLETED_PARTS_PER_MESSAGE = 12;

export const uploadProgress = z.object({
  type: z.literal("upload_progress"),
  uploadId: z.string(),
  filename: z.string(),
  /** Percent, 0 to 100. */
  progress: z.number().check(z.minimum(0), z.maximum(100)),
  statusMessage: z.string().check(z.maxLength(200)),
});
export type UploadProgress = z.infer<typeof uploadProgress>;

export const senderMessage = z.discriminatedUnion("type", [
  uploadProgress,
  z.object({
    type: z.literal("receipts"),
    receipts: z.array(completedPart).check(z.minLength(1), z.maxLength(COMPLETED_PARTS_PER_MESSAGE)),
  }),
]);
export type SenderMessage = z.infer<typeof senderMessage>;

export const serverMessage = z.discriminatedUnion("type", [
  uploadProgress,
  z.object({ type: z.literal("received"), parts: z.array(z.number()) }),
  picturesMessage,
  z.object({ type: z.literal("watchers"), count: z.number() }),
  z.object({ type: z.literal("upload_ended"), status: z.enum(["ready", "failed", "cancelled"]) }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);
export type ServerMessage = z.infer<typeof serverMessage>;
