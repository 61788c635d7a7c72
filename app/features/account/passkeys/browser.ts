import { useSyncExternalStore } from "react";
import { securityApi } from "#app/features/account/security-api.ts";
import { ApiError } from "#app/lib/api.ts";
import { messageFromBody } from "#engine/api-error.ts";
import type { PasskeyPurpose } from "#domain/passkeys.ts";
import {
  passkeyAssertion,
  passkeyAttestation,
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyCreationOptions,
  type PasskeysAnswer,
} from "#domain/wire.ts";

/** Whether the browser has passkeys, and reads and writes them as JSON. False on the server and at the first render. */
export function useKnowsPasskeys(): boolean {
  return useSyncExternalStore(neverChanges, knowsPasskeys, () => false);
}

const neverChanges = () => () => undefined;

function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;
}

/** The browser refuses a second question while one is open, so the autofill's ends first. */
let openQuestion: AbortController | null = null;

/** @returns a signal for one question; the question before it ends */
function beginQuestion(): AbortController {
  openQuestion?.abort();
  openQuestion = new AbortController();
  return openQuestion;
}

/** Opens the browser's dialog. @returns null when the person closes it */
export async function askForPasskey(purpose: PasskeyPurpose): Promise<PasskeyAssertion | null> {
  const { signal } = beginQuestion();
  return getPasskey(purpose, { signal });
}

/** Offers passkeys where the browser fills fields in. @param onChosen may be called never, and once */
export function offerPasskeys(onChosen: (credential: PasskeyAssertion) => void): () => void {
  const question = beginQuestion();
  const offer = async () => {
    if (!knowsPasskeys() || !(await PublicKeyCredential.isConditionalMediationAvailable())) return;
    if (question.signal.aborted) return;
    const credential = await getPasskey("login", { signal: question.signal, mediation: "conditional" });
    if (credential) onChosen(credential);
  };
  // Nobody asked for it, and the button says what is wrong.
  offer().catch(() => undefined);
  return () => {
    question.abort();
  };
}

async function getPasskey(
  purpose: PasskeyPurpose,
  settings: Pick<CredentialRequestOptions, "signal" | "mediation">,
): Promise<PasskeyAssertion | null> {
  const options = await securityApi.passkeyOptions(purpose);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await orNull(navigator.credentials.get({ publicKey, ...settings }));
  return credential instanceof PublicKeyCredential ? passkeyAssertion.parse(credential.toJSON()) : null;
}

/** @returns null when the person closes the browser's dialog, "known" when their authenticator has a passkey of this account */
export async function createPasskey(options: PasskeyCreationOptions): Promise<PasskeyAttestation | "known" | null> {
  const { signal } = beginQuestion();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  try {
    const credential = await orNull(navigator.credentials.create({ publicKey, signal }));
    return credential instanceof PublicKeyCredential ? passkeyAttestation.parse(credential.toJSON()) : null;
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError") return "known";
    throw error;
  }
}

/** A person who closes the dialog, or lets it run out, makes no error of it. */
async function orNull(asked: Promise<Credential | null>): Promise<Credential | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DOMException && ["NotAllowedError", "AbortError"].includes(error.name)) return null;
    throw error;
  }
}

/** Tells the password manager which passkeys of this account are left. Browsers without the call do nothing. */
export function signalPasskeys({ passkeys, rpId, userHandle }: PasskeysAnswer): void {
  if (!knowsPasskeys() || !("signalAllAcceptedCredentials" in PublicKeyCredential)) return;
  const allAcceptedCredentialIds = passkeys.map(({ credentialId }) => credentialId);
  // A password manager that refuses it keeps offering the passkey, which the sign-in then refuses.
  PublicKeyCredential.signalAllAcceptedCredentials({ rpId, userId: userHandle, allAcceptedCredentialIds }).catch(
    () => undefined,
  );
}

/** Tells the password manager of a passkey that the server does not know. */
export function signalUnknownPasskey(error: unknown, { id }: PasskeyAssertion): void {
  if (!(error instanceof ApiError) || error.body.code !== "PASSKEY_UNKNOWN") return;
  if (!("signalUnknownCredential" in PublicKeyCredential)) return;
  PublicKeyCredential.signalUnknownCredential({ rpId: location.hostname, credentialId: id }).catch(() => undefined);
}

/** The server's own words: `message` of a 401 speaks of passwords. */
export function passkeyMessage(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return messageFromBody(error.body) ?? error.message;
  return fallback;
}
