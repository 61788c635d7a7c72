import { toBase64url } from "#domain/bytes-as-text.ts";
import type { Ground } from "#domain/moderation/statements.ts";
import type { NewStatement } from "../db/statements.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";

/** Why something is decided, as its owner is told. */
export interface Decided {
  reason: string;
  ground: Ground;
}

/** 256 random bits, so that nobody guesses the token of an objection. */
const TOKEN_BYTES = 32;

/**
 * Makes the row of a decision that somebody is mailed about, and the address of the page on which they can object.
 * @param now epoch milliseconds
 */
export async function newStatement(
  { settings }: Pick<Services, "settings">,
  decided: Omit<NewStatement, "id" | "tokenHash" | "at">,
  now: number,
): Promise<{ row: NewStatement; objectionUrl: string }> {
  const token = toBase64url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const row = { id: crypto.randomUUID(), tokenHash: await hashToken(token), at: new Date(now), ...decided };
  return { row, objectionUrl: `${settings.origin}/objection/${token}` };
}
