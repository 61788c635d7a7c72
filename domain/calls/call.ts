import type * as z from "zod/mini";
import type { RateLimitedCall } from "../rate-limits.ts";

/**
 * Who may call. `member`: has a session. `sender`: uploads: a member, a visitor where visitors may upload, or whoever has
 * the token of an upload request. `starter`: the same without the latter. `owner`: a member, or a visitor who uploaded.
 * `administrator`: has an admin session.
 */
export type Who = "anybody" | "member" | "sender" | "starter" | "owner" | "administrator";

/** Why a call has no rate limit. */
type Unlimited =
  "needs a session" | "needs a key" | "needs a signature" | "reads what is public" | "ends its own session";

/** What a row says besides. The server checks in this order: params, who calls, query, body, limit. */
interface Details {
  /** By which address the limit counts: the account's, or the body's. Else it counts by the account's id. */
  limitBy?: "email";
  /** The limit comes before the body. */
  limitFirst?: true;
  /** What the handler does itself, in an order of its own: the limit alone, or reading query and body as well. */
  handler?: "limits" | "reads";
  /** Of parameters of the path that are more than text. */
  params?: Readonly<Record<string, z.ZodMiniType>>;
  query?: z.ZodMiniType;
  /** JSON. */
  body?: z.ZodMiniType;
  /** JSON that fits one of these: the handler parses it. */
  bodies?: readonly z.ZodMiniType[];
  /** Of the body. Else 64 KiB. */
  maxBytes?: number;
  /** Of a body with `seal`. */
  maxSealedBytes?: number;
  /** Else 200. With 204 the answer is empty. */
  status?: 201 | 202 | 204;
  /** The answer is this `message`. */
  says?: string;
  /** Of JSON. Absent where the handler makes the response. */
  answer?: Json<unknown>;
}

/** A row of a table of calls: the server's routes, the pages' client and the tests are made from it. */
export interface Call extends Details {
  who: Who;
  /** Whoever calls confirms that it is them, unless the session was confirmed within ten minutes. */
  isConfirmed: boolean;
  limit: RateLimitedCall | Unlimited;
}

/** Without names that no row has. */
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

/** Who is not known has a limit, or there is a reason for none. */
export const anybody: LimitedRow<"anybody"> = by("anybody");
export const member = by("member");
export const confirmedMember = by("member", true);
export const sender = by("sender");
export const starter = by("starter");
export const owner = by("owner");
export const administrator = by("administrator");
export const confirmedAdministrator = by("administrator", true);

/** The type of an answer. Nothing parses it: the server is trusted. */
export interface Json<Answer> {
  type?: Answer;
}
export const json = <Answer>(): Json<Answer> => ({});

/** What a call answers: null for nothing, `never` where the handler makes the response. */
export type AnswerOf<Of> = Of extends { says: string }
  ? { message: string }
  : Of extends { answer: Json<infer Answer> }
    ? Answer
    : Of extends { status: 204 }
      ? null
      : never;

/** The names of a path's parameters. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | PathParams<Rest>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never;
