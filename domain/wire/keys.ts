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
import { messageName } from "../field-messages.ts";

const name = z.string(messageName("keyNameMissing")).check(
  z.trim(),
  z.minLength(1, messageName("keyNameMissing")),
  z.maxLength(KEY_NAME_MAX_LENGTH, messageName("keyNameLong")),
  z.refine((text) => text.isWellFormed(), messageName("keyNameMissing")),
);

const scopes = z
  .array(z.enum(KEY_SCOPES))
  .check(z.minLength(1, messageName("keyScopeMissing")), z.maxLength(KEY_SCOPES.length));

const bytes = z.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER));

/** Null: only the plan's limit. */
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
  /** Accepts requests of web pages, which show the key to everybody who looks. */
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

export interface ListedKey {
  id: string;
  name: string;
  lastFour: string;
  scopes: KeyScope[];
  /** ISO 8601, as all moments here. */
  createdAt: string;
  /** Null: never. */
  expiresAt: string | null;
  hasRunOut: boolean;
  /** At most ten minutes old. Null: not used yet. */
  lastUsedAt: string | null;
  /** Shortened, such as `198.51.100.0/24`. */
  lastUsedAddress: string | null;
  limits: {
    callsPerMinute: number;
    /** Bytes; null: only the plan's limit. */
    monthBytes: number | null;
    largestFileBytes: number | null;
  };
  browserUse: boolean;
  source: KeySource;
}

/** The only answer that has the key. */
export interface MadeKey extends ListedKey {
  key: string;
}
