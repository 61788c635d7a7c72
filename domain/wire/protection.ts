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

/** What a start may put on its link. A start that resumes an upload keeps what it does not name. */
export const protectionAtStart = z.optional(
  z.object({ password: z.optional(linkPassword), maxDownloads: z.optional(maxDownloads) }),
);
export type ProtectionAtStart = NonNullable<z.infer<typeof protectionAtStart>>;

/** Null removes a password or a limit. `letGoOn` forgives unfinished copies. */
export const changeProtectionRequest = z.object({
  guards: z
    .object({
      password: z.optional(z.nullable(linkPassword)),
      maxDownloads: z.optional(z.nullable(maxDownloads)),
      letGoOn: z.optional(z.literal(true)),
      /** Only of a sealed link, whose password only its sender knows. `wrap` and `accessHash` come together. */
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

/** What an owner sees of a protected link. */
export interface LinkProtection {
  /** The key of a sealed link needs a password, too. */
  password: boolean;
  /** Encrypted end to end. */
  sealed: boolean;
  /** Null for any number. */
  maxDownloads: number | null;
  downloadsUsed: number;
  /** Nobody else may begin. */
  isUsedUp: boolean;
}

/** Adds what only the link's gate knows. */
export interface LinkProtectionNow extends LinkProtection {
  /** Downloads that hold a place now. */
  running: number;
  /** Unfinished copies leave no room: the link waits until its owner lets it go on. */
  isWaiting: boolean;
}

/** What a recipient sees of a protected link. */
export interface SeenProtection {
  /** The key of a sealed link needs a password, too. */
  password: boolean;
  /** Encrypted end to end. */
  sealed: boolean;
  /** Null for any number. */
  maxDownloads: number | null;
  /** Downloads that nobody has used up. Null for any number. */
  left: number | null;
}

/** Any text: a wrong length is a wrong password. `access`: of a sealed link, as base64url. */
export const unlockRequest = z.union([
  z.object({ password: z.string().check(z.maxLength(1000)) }),
  z.object({ access: z.string().check(z.maxLength(1000)) }),
]);
export type UnlockRequest = z.infer<typeof unlockRequest>;

export interface TakeAnswer {
  /** For programs, as a header. All three are null where downloads are not counted. */
  lease: string | null;
  /** Places that nobody else has or has used. */
  left: number | null;
  /** ISO 8601: when the place lapses, unless bytes are read before. */
  until: string | null;
}

/** A sealed file that its reader has opened to its end. `entry`: of a transfer, by its number. */
export const openedReport = z.object({
  entry: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(MAX_ENTRY_NUMBERS - 1))),
});
export type OpenedReport = z.infer<typeof openedReport>;

/** Where a form that takes a download goes on to: the whole, a selection, or one file. */
export const takeQuery = z.object({
  v: z.optional(z.string().check(z.maxLength(64))),
  pick: z.optional(z.string().check(z.maxLength(4000))),
  entry: z.optional(z.string().check(z.regex(/^\d{1,9}$/, messageName("notCount")))),
  /** A recipient's token. */
  for: z.optional(z.string().check(z.maxLength(64))),
});
export type TakeQuery = z.infer<typeof takeQuery>;
