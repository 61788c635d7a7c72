import { passkeyAssertion, type PasskeyAssertion, type PasskeyRequestOptions } from "#domain/wire.ts";
import { ApiError, serverMessage } from "./api.ts";
import { useHydrated } from "./clock.ts";

/** Whether the browser has passkeys, and reads and writes them as JSON. False on the server and at the first render. */
export function useKnowsPasskeys(): boolean {
  return useHydrated() && knowsPasskeys();
}

export function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

/** The browser refuses a second question while one is open, so the autofill's ends first. */
let openQuestion: AbortController | null = null;

/** @returns a signal for one question; the question before it ends */
export function beginQuestion(): AbortController {
  openQuestion?.abort();
  openQuestion = new AbortController();
  return openQuestion;
}

/** Asks the browser. @returns null when the person closes its dialog */
export async function answerByPasskey(
  options: PasskeyRequestOptions,
  settings: Pick<CredentialRequestOptions, "signal" | "mediation">,
): Promise<PasskeyAssertion | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await orNull(navigator.credentials.get({ publicKey, ...settings }));
  return credential instanceof PublicKeyCredential ? passkeyAssertion.parse(credential.toJSON()) : null;
}

/** A person who closes the dialog, or lets it run out, makes no error of it. */
export async function orNull(asked: Promise<Credential | null>): Promise<Credential | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DOMException && ["NotAllowedError", "AbortError"].includes(error.name)) return null;
    throw error;
  }
}

/** The server's own words: `message` of a 401 speaks of passwords. */
export function passkeyMessage(error: unknown, fallback: string): string {
  return serverMessage(error) ?? (error instanceof ApiError ? error.message : fallback);
}
