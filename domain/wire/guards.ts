import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import { isDownloadLimit } from "../guards/download-limit.ts";
import { normalizeLinkPassword } from "../guards/password.ts";

export const linkPassword = z
  .string(messageName("linkPasswordLength"))
  .check(z.refine((password) => normalizeLinkPassword(password) !== null, messageName("linkPasswordLength")));

export const maxDownloads = z
  .number(messageName("maxDownloadsRange"))
  .check(z.refine(isDownloadLimit, messageName("maxDownloadsRange")));

/** What a start may put on its link. A start that resumes an upload keeps what it does not name. */
export const guardsAtStart = z.optional(
  z.object({ password: z.optional(linkPassword), maxDownloads: z.optional(maxDownloads) }),
);
export type GuardsAtStart = NonNullable<z.infer<typeof guardsAtStart>>;

/** Null removes a guard. `letGoOn` forgives unfinished copies. */
export const changeGuardsRequest = z.object({
  guards: z
    .object({
      password: z.optional(z.nullable(linkPassword)),
      maxDownloads: z.optional(z.nullable(maxDownloads)),
      letGoOn: z.optional(z.literal(true)),
    })
    .check(
      z.refine(
        (guards) => Object.values(guards).some((value) => value !== undefined),
        messageName("nothingToChangeInGuards"),
      ),
    ),
});
export type ChangeGuards = z.infer<typeof changeGuardsRequest>["guards"];

/** What an owner sees of a guarded link. */
export interface LinkGuards {
  password: boolean;
  /** Null for any number. */
  maxDownloads: number | null;
  downloadsUsed: number;
  /** Nobody else may begin. */
  isUsedUp: boolean;
}

/** With what only the link's gate knows. */
export interface LinkGuardsNow extends LinkGuards {
  /** Downloads that hold a place now. */
  running: number;
  /** Unfinished copies leave no room: the link waits until its owner lets it go on. */
  isWaiting: boolean;
}

/** What a recipient sees of a link that has guards. */
export interface SeenGuards {
  password: boolean;
  /** Null for any number. */
  maxDownloads: number | null;
  /** Downloads that nobody has used up. Null for any number. */
  left: number | null;
}

/** Any text: a wrong length is a wrong password. */
export const unlockRequest = z.object({ password: z.string().check(z.maxLength(1000)) });

export interface TakeAnswer {
  /** For programs, as a header. All three are null where downloads are not counted. */
  lease: string | null;
  /** Places that nobody else has or has used. */
  left: number | null;
  /** ISO 8601: when the place lapses, unless bytes are read before. */
  until: string | null;
}

/** Where a form that takes a download goes on to: the whole, a selection, or one file. */
export const takeQuery = z.object({
  v: z.optional(z.string().check(z.maxLength(64))),
  pick: z.optional(z.string().check(z.maxLength(4000))),
  entry: z.optional(z.string().check(z.regex(/^\d{1,9}$/, messageName("notCount")))),
});
export type TakeQuery = z.infer<typeof takeQuery>;
