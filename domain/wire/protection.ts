import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import { isDownloadLimit, normalizeLinkPassword } from "../protection/link-protection.ts";
import { MAX_ENTRY_NUMBERS } from "../transfers/limits.ts";
import { changesSomething } from "./checks.ts";
import { rewrappedSeal } from "./seal.ts";

export const linkPassword = z
  .string(messageName("linkPasswordLength"))
  .check(z.refine((password) => normalizeLinkPassword(password) !== null, messageName("linkPasswordLength")));

export const maxDownloads = z
  .number(messageName("maxDownloadsRange"))
  .check(z.refine(isDownloadLimit, messageName("maxDownloadsRange")));

/**
 * The protection that a start gives its link. If the start resumes an upload, an absent field leaves the link's
 * protection as it is.
 */
export const protectionAtStart = z.optional(
  z.object({ password: z.optional(linkPassword), maxDownloads: z.optional(maxDownloads) }),
);
export type ProtectionAtStart = NonNullable<z.infer<typeof protectionAtStart>>;

/** Null removes a password or a limit. `letGoOn` forgives unfinished downloads. */
export const changeProtectionRequest = z.object({
  guards: z
    .object({
      password: z.optional(z.nullable(linkPassword)),
      maxDownloads: z.optional(z.nullable(maxDownloads)),
      letGoOn: z.optional(z.literal(true)),
      /** Only for a sealed link, whose password only its sender knows. `wrap` and `accessHash` come together. */
      ...rewrappedSeal,
    })
    .check(
      changesSomething("nothingToChangeInGuards"),
      z.refine(
        ({ wrap, accessHash, kdf }) =>
          (wrap === undefined) === (accessHash === undefined) && (kdf === undefined || wrap !== undefined),
        messageName("wrapIncomplete"),
      ),
    ),
});
export type ChangeProtection = z.infer<typeof changeProtectionRequest>["guards"];

/** A link's protection, as its owner sees it. */
export interface LinkProtection {
  /** Whether the link has a password. To open a sealed link with a password, its key and the password are needed. */
  password: boolean;
  sealed: boolean;
  /** Null for a link without a download limit. */
  maxDownloads: number | null;
  downloadsUsed: number;
  /** Whether no new download may begin. */
  isUsedUp: boolean;
}

/** Adds numbers that only the link's gate knows. */
export interface LinkProtectionNow extends LinkProtection {
  /** Downloads that hold a lease now. */
  running: number;
  /** Whether unfinished downloads use up the limit, and the link waits until its owner sends `letGoOn`. */
  isWaiting: boolean;
}

/** A link's protection, as a recipient sees it. */
export interface SeenProtection {
  /** Whether the link has a password. To open a sealed link with a password, its key and the password are needed. */
  password: boolean;
  sealed: boolean;
  /** Null for a link without a download limit. */
  maxDownloads: number | null;
  /** The number of downloads that are left. Null for a link without a download limit. */
  left: number | null;
}

/**
 * `password`: any text, because a password of a wrong length is just a wrong password. `access`: of a sealed link, as
 * base64url.
 */
export const unlockRequest = z.union([
  z.object({ password: z.string().check(z.maxLength(1000)) }),
  z.object({ access: z.string().check(z.maxLength(1000)) }),
]);
export type UnlockRequest = z.infer<typeof unlockRequest>;

export interface TakeAnswer {
  /**
   * For programs, as a header. `lease`, `left` and `until` are null without a lease: the link has no limit, or the
   * caller owns it.
   */
  lease: string | null;
  /** The number of further downloads, which are neither used nor reserved by a lease. */
  left: number | null;
  /** ISO 8601: when the lease lapses, unless its holder reads bytes before that. */
  until: string | null;
}

/** Reports a sealed file that its reader has opened to its end. `entry`: the file's number in a transfer. */
export const openedReport = z.object({
  entry: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(MAX_ENTRY_NUMBERS - 1))),
});
export type OpenedReport = z.infer<typeof openedReport>;

/** The address to which the form for taking a download redirects: the whole link, a selection, or one file. */
export const takeQuery = z.object({
  v: z.optional(z.string().check(z.maxLength(64))),
  pick: z.optional(z.string().check(z.maxLength(4000))),
  entry: z.optional(z.string().check(z.regex(/^\d{1,9}$/, messageName("notCount")))),
  follow: z.optional(z.literal("1")),
  /** A recipient's token. */
  for: z.optional(z.string().check(z.maxLength(64))),
});
export type TakeQuery = z.infer<typeof takeQuery>;
