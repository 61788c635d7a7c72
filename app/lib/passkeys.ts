import { passkeyAssertion, type PasskeyAssertion, type PasskeyRequestOptions } from "#domain/wire.ts";
import { ApiError, serverMessage } from "./api.ts";
import { useHydrated } from "./clock.ts";

/** Whether the browser can use passkeys and convert them to and from JSON. False until hydrated. */
export function useKnowsPasskeys(): boolean {
  return useHydrated() && knowsPasskeys();
}

export function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

/** The running passkey request, which may be the autofill's. Browsers refuse a second request at the same time. */
let openQuestion: AbortController | null = null;

/** Aborts the running passkey request. @returns the abort controller of the next request */
export function beginQuestion(): AbortController {
  openQuestion?.abort();
  openQuestion = new AbortController();
  return openQuestion;
}

/** Asks the browser for a passkey's signature. @returns null if the person closes the browser's dialog */
export async function answerByPasskey(
  options: PasskeyRequestOptions,
  settings: Pick<CredentialRequestOptions, "signal" | "mediation">,
): Promise<PasskeyAssertion | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await orNull(navigator.credentials.get({ publicKey, ...settings }));
  return credential instanceof PublicKeyCredential ? passkeyAssertion.parse(credential.toJSON()) : null;
}

/** @returns null instead of an error if the person closes the passkey dialog or its time runs out */
export async function orNull(asked: Promise<Credential | null>): Promise<Credential | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DOMException && ["NotAllowedError", "AbortError"].includes(error.name)) return null;
    throw error;
  }
}

/** The server's own message of a passkey error. The `message` of a 401 error speaks of passwords instead. */
export function passkeyMessage(error: unknown, fallback: string): string {
  return serverMessage(error) ?? (error instanceof ApiError ? error.message : fallback);
}
