import type * as z from "zod/mini";
import type { RateLimitedCall } from "../rate-limits.ts";

/**
 * Who may make a call. `member`: a person with a session. `sender`: an uploader, who is a member, a visitor where
 * visitors may upload, or the holder of an upload request's token. `starter`: a member, or a visitor where visitors may
 * upload. `owner`: a member, or a visitor who uploaded. `administrator`: a person with an admin session.
 */
export type Who = "anybody" | "member" | "sender" | "starter" | "owner" | "administrator";

/** The reason why a call has no rate limit. */
type Unlimited =
  "needs a session" | "needs a key" | "needs a signature" | "reads what is public" | "ends its own session";

/** The optional fields of a call's row. The server checks in this order: who calls, params, query, body, rate limit. */
interface Details {
  /**
   * The rate limit counts by the email address of the account or the body. By default the rate limit counts by the
   * account's id.
   */
  limitBy?: "email";
  /** Where a deployment uses Turnstile, a caller without an account needs its token. */
  needsHuman?: true;
  /** The rate limit is checked before the body. */
  limitFirst?: true;
  /** The checks that the handler does in its own order: only the rate limit, or the rate limit, query and body. */
  handler?: "limits" | "reads";
  /** Schemas of path parameters that are more than text. */
  params?: Readonly<Record<string, z.ZodMiniType>>;
  query?: z.ZodMiniType;
  /** The schema of the JSON body. */
  body?: z.ZodMiniType;
  /** Schemas of the JSON body, which has to fit one of them. The handler parses the body. */
  bodies?: readonly z.ZodMiniType[];
  /** The largest body in bytes. By default 64 KiB. */
  maxBytes?: number;
  /** The largest body with a `seal`, in bytes. */
  maxSealedBytes?: number;
  /** The answer's status. By default 200. With 204 the answer is empty. */
  status?: 201 | 202 | 204;
  /** The `message` that is the whole answer. */
  says?: string;
  /** The type of the JSON answer. Absent if the handler makes the response. */
  answer?: Json<unknown>;
}

/** A row of the table of calls, from which the server's routes, the pages' client and the tests are made. */
export interface Call extends Details {
  who: Who;
  /** The caller has to confirm who they are, unless the session was confirmed within ten minutes. */
  isConfirmed: boolean;
  limit: RateLimitedCall | Unlimited;
}

/** Excludes fields that `Details` does not have. */
type Exact<Given> = Given & Partial<Record<Exclude<keyof Given, keyof Details>, never>>;
type Row<By extends Who, Given> = Given & Pick<Call, "isConfirmed" | "limit"> & { who: By };

type LimitedRow<By extends Who> = <const Given extends Details = object>(
  limit: Call["limit"],
  given?: Exact<Given>,
) => Row<By, Given>;
interface AnyRow<By extends Who> extends LimitedRow<By> {
  <const Given extends Details = object>(given?: Exact<Given>): Row<By, Given>;
}

const by = <By extends Who>(who: By, isConfirmed = false) =>
  ((limit?: string | object, given?: object) =>
    typeof limit === "string"
      ? { who, isConfirmed, limit, ...given }
      : { who, isConfirmed, limit: "needs a session", ...limit }) as AnyRow<By>;

/** A call for anybody needs a rate limit, or the reason for having none. */
export const anybody: LimitedRow<"anybody"> = by("anybody");
export const member = by("member");
export const confirmedMember = by("member", true);
export const sender = by("sender");
export const starter = by("starter");
export const owner = by("owner");
export const administrator = by("administrator");
export const confirmedAdministrator = by("administrator", true);

/** The type of an answer. No client validates answers against a schema, because the server is trusted. */
export interface Json<Answer> {
  type?: Answer;
}
export const json = <Answer>(): Json<Answer> => ({});

/** The answer of a call: null for an empty answer, `never` if the handler makes the response. */
export type AnswerOf<Of> = Of extends { says: string }
  ? { message: string }
  : Of extends { answer: Json<infer Answer> }
    ? Answer
    : Of extends { status: 204 }
      ? null
      : never;

export type PathParams<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | PathParams<Rest>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never;
