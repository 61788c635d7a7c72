import type { APIRequestContext, Page } from "@playwright/test";
import { generateSync } from "otplib";
import type { NewFactor, RecoveryCodesAnswer } from "#domain/wire.ts";
import { query } from "./database.ts";

/**
 * Sets an authenticator app up for the signed-in person of a page. The code of this moment can be used again.
 * @param origin of another server than the usual one @returns its secret and the recovery codes
 */
export async function setUpAppByApi(
  { request }: Page,
  email: string,
  origin?: string,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await post(request, "/api/auth/totp", {})) as NewFactor;
  const code = generateSync({ secret });
  const { recoveryCodes } = (await post(request, "/api/auth/totp/enable", { code })) as RecoveryCodesAnswer;
  await letCodeWorkAgain(email, origin);
  return { secret, recoveryCodes };
}

/** Forgets which code was used last. */
export async function letCodeWorkAgain(email: string, origin?: string): Promise<void> {
  await query(
    `update second_factors set last_step = 0 where user_id = (select id from users where email = '${email}')`,
    origin,
  );
}

async function post(request: APIRequestContext, path: string, data: unknown): Promise<unknown> {
  const response = await request.post(path, { data });
  if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`);
  return response.json();
}
