import type * as z from "zod/mini";
import { DEVICE_CALLS, ME_CALLS } from "./account.ts";
import type { V1Call } from "./call.ts";
import { LINK_CALLS } from "./links.ts";
import { REQUEST_CALLS } from "./requests.ts";
import { SEND_CALLS } from "./send.ts";
import { SENT_CALLS } from "./sent.ts";
import { TRANSFER_CALLS } from "./transfers.ts";
import { TUS_CALLS } from "./tus.ts";
import { UPLOAD_CALLS } from "./uploads.ts";

/** Every call of `/api/v1`. The Worker compiles only if every row has a handler. */
export const V1_CALLS = {
  ...ME_CALLS,
  ...DEVICE_CALLS,
  ...UPLOAD_CALLS,
  ...TRANSFER_CALLS,
  ...SENT_CALLS,
  ...REQUEST_CALLS,
  ...LINK_CALLS,
  ...TUS_CALLS,
} as const satisfies Record<string, V1Call>;

/** The calls in the API description: those of `/api/v1`, and those at the top of the site, with their own routes. */
export const DESCRIBED_CALLS = { ...V1_CALLS, ...SEND_CALLS } as const satisfies Record<string, V1Call>;

export type CallName = keyof typeof V1_CALLS;
type Row<Name extends CallName> = (typeof V1_CALLS)[Name];
type Parsed<Call, Part extends string> =
  Call extends Record<Part, infer Schema extends z.ZodMiniType> ? z.infer<Schema> : undefined;

/** The parsed input of a call's handler. */
export interface CallInput<Name extends CallName> {
  params: Parsed<Row<Name>, "params">;
  query: Parsed<Row<Name>, "query">;
  body: Parsed<Row<Name>, "body">;
}

/** The JSON of a call's answer; undefined for an answer without JSON. */
export type CallAnswer<Name extends CallName> =
  Row<Name> extends { answer: infer Schema extends z.ZodMiniType } ? z.infer<Schema> : undefined;

/** The key that a handler gets: null if the call takes no key, or if an upload request's token replaces the key. */
export type CallerOf<Name extends CallName, Key> = Row<Name>["scope"] extends null
  ? null
  : Row<Name> extends { takesRequest: true }
    ? Key | null
    : Key;

export const CALL_NAMES = Object.keys(V1_CALLS) as CallName[];
