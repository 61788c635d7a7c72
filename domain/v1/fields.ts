import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import { formNumber } from "../wire/uploads.ts";

/** Adds a description, which the reference shows, to a schema. */
export const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  schema.check(z.describe(description));

export const fileId = described(z.uuid(messageName("notUploadId")), "Names the upload, and later the transfer.");
export const byId = z.object({ id: fileId });

const moment = z.iso.datetime();
export const link = described(z.url(), "What recipients open.");
export const bytes = described(z.number().check(z.int(), z.nonnegative()), "Bytes.");
export const expiresAt = described(z.nullable(moment), "When the link ends. Null: never.");
export const at = (description: string) => described(moment, description);

export const count = z.number().check(z.int(), z.nonnegative());

export const guards = described(
  z.object({
    password: z.boolean(),
    sealed: described(z.boolean(), "Encrypted end to end."),
    maxDownloads: described(z.nullable(count), "Null: any number."),
    downloadsUsed: count,
    isUsedUp: described(z.boolean(), "Nobody else may begin."),
  }),
  "Absent for a link without any.",
);

export const seal = described(
  z.object({
    guard: z.literal("sealed"),
    salt: z.string(),
    kdf: z.optional(
      z.object({ name: z.literal("argon2id"), mKiB: z.number(), t: z.number(), p: z.number(), salt: z.string() }),
    ),
    revision: described(count, "Of the newest list of files."),
    final: z.boolean(),
  }),
  "Only of a link that is encrypted end to end.",
);

export const OF_RESUMED_SEALED = "Only of an encrypted upload that goes on: what its stored parts hold.";

export const OF_RESUMED_PLAIN =
  "Of an upload that goes on: CRC-32 of its stored parts, where their sender told it. Compare them with the file before you send the rest.";

const LARGEST_PAGE = 100;

/** The query that chooses a page of a list. */
export const page = z.object({
  cursor: z.optional(described(z.string().check(z.minLength(1), z.maxLength(200)), "`next` of the page before.")),
  limit: z._default(z.pipe(formNumber, z.number().check(z.minimum(1), z.maximum(LARGEST_PAGE))), LARGEST_PAGE),
});

export const next = described(z.nullable(z.string()), "The cursor of the next page. Null: this is the last one.");

const startedAs = (id: string, downloadId: string, expiresAt: string) => ({
  id,
  downloadId,
  link: `https://files.example/download/${downloadId}`,
  expiresAt,
});

export const EXAMPLE_UPLOAD = startedAs(
  "2d8f0a52-9c1b-4d5e-8b61-0f3c7a9e4b10",
  "q3Zc8vV1sTn0bKx5Lr2YwA",
  "2026-11-30T12:00:00.000Z",
);
export const EXAMPLE_TRANSFER = startedAs(
  "7b1e6a2c-4c59-4a0d-9f7e-1f2d3c4b5a69",
  "Lr2YwAq3Zc8vV1sTn0bKx5",
  "2026-11-26T12:00:00.000Z",
);
