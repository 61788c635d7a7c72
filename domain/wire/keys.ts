import * as z from "zod/mini";
import {
  DEFAULT_KEY_LIFETIME,
  KEY_CALLS_PER_MINUTE,
  KEY_LIFETIMES,
  KEY_NAME_MAX_LENGTH,
  KEY_SCOPES,
  type KeyScope,
  type KeySource,
} from "../api-keys.ts";
import { readUserCode } from "../device-codes.ts";
import { messageName } from "../field-messages.ts";
import { MIB } from "../units.ts";
import { requiredName } from "./checks.ts";

const name = requiredName("keyNameMissing", KEY_NAME_MAX_LENGTH, "keyNameLong");

const scopes = z
  .array(z.enum(KEY_SCOPES))
  .check(z.minLength(1, messageName("keyScopeMissing")), z.maxLength(KEY_SCOPES.length));

const bytes = z.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER));

/** The limits of a key. Null means that only the plan's limit counts. */
const limits = z.object({
  callsPerMinute: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(KEY_CALLS_PER_MINUTE))),
  monthBytes: z.optional(z.nullable(bytes)),
  largestFileBytes: z.optional(z.nullable(bytes)),
});

export const makeKeyRequest = z.object({
  name,
  scopes,
  expiresIn: z._default(z.enum(KEY_LIFETIMES), DEFAULT_KEY_LIFETIME),
  limits: z._default(limits, {}),
  /** Accepts requests from web pages, which show the key to everybody. */
  browserUse: z._default(z.boolean(), false),
});
export type MakeKeyRequest = z.infer<typeof makeKeyRequest>;

export const changeKeyRequest = z
  .object({ name: z.optional(name), limits: z.optional(limits) })
  .check(
    z.refine(
      (change) => change.name !== undefined || Object.values(change.limits ?? {}).some((value) => value !== undefined),
      messageName("nothingToChangeInKey"),
    ),
  );
export type ChangeKeyRequest = z.infer<typeof changeKeyRequest>;

/** Reads a typed whole number. @returns NaN for text that is no whole number; null for empty text */
const typedNumber = z.pipe(
  z._default(z.string(), ""),
  z.transform((text) => {
    const typed = text.trim();
    if (typed === "") return null;
    return /^\d{1,12}$/.test(typed) ? Number(typed) : NaN;
  }),
);
const typedMb = z.pipe(
  typedNumber,
  z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(Math.floor(Number.MAX_SAFE_INTEGER / MIB)))),
);
const formLimits = {
  callsPerMinute: z.pipe(
    typedNumber,
    z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(KEY_CALLS_PER_MINUTE))),
  ),
  monthMb: typedMb,
  largestFileMb: typedMb,
};

/** @returns limits as the API takes them. An empty field for calls a minute means the limit that every key has */
function toLimits({ callsPerMinute, monthMb, largestFileMb }: z.infer<z.ZodMiniObject<typeof formLimits>>) {
  return {
    callsPerMinute: callsPerMinute ?? KEY_CALLS_PER_MINUTE,
    monthBytes: monthMb === null ? null : monthMb * MIB,
    largestFileBytes: largestFileMb === null ? null : largestFileMb * MIB,
  };
}

/** A form sends each checked scope under its name, and sizes in MB. */
export const makeKeyForm = z.pipe(
  z.pipe(
    z.pipe(
      z.record(z.string(), z.unknown()),
      z.transform((form) => ({
        ...form,
        scopes: KEY_SCOPES.filter((scope) => scope in form),
        browserUse: "browserUse" in form,
      })),
    ),
    z.object({ name, scopes, expiresIn: z.enum(KEY_LIFETIMES), browserUse: z.boolean(), ...formLimits }),
  ),
  z.transform((form) => ({
    name: form.name,
    scopes: form.scopes,
    expiresIn: form.expiresIn,
    browserUse: form.browserUse,
    limits: toLimits(form),
  })),
);

export const changeKeyForm = z.pipe(
  z.object({ name, ...formLimits }),
  z.transform((form) => ({ name: form.name, limits: toLimits(form) })),
);

export interface ListedKey {
  id: string;
  name: string;
  lastFour: string;
  scopes: KeyScope[];
  /** ISO 8601, as are the other moments of a key. */
  createdAt: string;
  /** Null for a key that never expires. */
  expiresAt: string | null;
  hasRunOut: boolean;
  /** Exact to ten minutes. Null for an unused key. */
  lastUsedAt: string | null;
  /** Shortened, such as `198.51.100.0/24`. */
  lastUsedAddress: string | null;
  limits: {
    callsPerMinute: number;
    /** Bytes; null means that only the plan's limit counts. */
    monthBytes: number | null;
    largestFileBytes: number | null;
  };
  browserUse: boolean;
  source: KeySource;
}

/** The only answer that has the key itself. */
export interface MadeKey extends ListedKey {
  key: string;
}

/** The code as a person types it. Parsing returns only the eight letters of the code. */
export const userCodeRequest = z.object({
  userCode: z.pipe(z.pipe(z.string(), z.transform(readUserCode)), z.string(messageName("notUserCode"))),
});

/** The program that waits for consent to its code. */
export interface WaitingDevice {
  /** The name that the program gives its device. */
  name: string;
  /** The program's IP address, shortened, such as `198.51.100.0/24`. */
  address: string;
  /** When the program started to wait: ISO 8601. */
  askedAt: string;
}
