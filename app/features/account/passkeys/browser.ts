import { ApiError, call } from "#app/lib/api.ts";
import { answerByPasskey, beginQuestion, knowsPasskeys, orNull } from "#app/lib/passkeys.ts";
import type { PasskeyPurpose } from "#domain/passkeys.ts";
import {
  passkeyAttestation,
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyCreationOptions,
  type PasskeysAnswer,
} from "#domain/wire.ts";

/** Opens the browser's passkey dialog. @returns null when the person closes the dialog */
export async function askForPasskey(purpose: PasskeyPurpose): Promise<PasskeyAssertion | null> {
  const { signal } = beginQuestion();
  return getPasskey(purpose, { signal });
}

/** Offers passkeys in the browser's autofill. @param onChosen called at most once @returns ends the offer */
export function offerPasskeys(onChosen: (credential: PasskeyAssertion) => void): () => void {
  const question = beginQuestion();
  const offer = async () => {
    if (!knowsPasskeys() || !(await PublicKeyCredential.isConditionalMediationAvailable())) return;
    if (question.signal.aborted) return;
    const credential = await getPasskey("login", { signal: question.signal, mediation: "conditional" });
    if (credential) onChosen(credential);
  };
  // No error is shown, because nobody asked for the offer. The button for passkeys reports errors.
  offer().catch(() => undefined);
  return () => question.abort();
}

async function getPasskey(
  purpose: PasskeyPurpose,
  settings: Pick<CredentialRequestOptions, "signal" | "mediation">,
): Promise<PasskeyAssertion | null> {
  return answerByPasskey(await call("POST /api/auth/passkey/options", { body: { purpose } }), settings);
}

/**
 * @returns null when the person closes the dialog, "known" when the person's authenticator already has a passkey of
 * this account
 */
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

/**
 * Tells the password manager which passkeys this account still has. Does nothing in a browser that has no
 * `signalAllAcceptedCredentials`.
 */
export function signalPasskeys({ passkeys, rpId, userHandle }: PasskeysAnswer): void {
  if (!knowsPasskeys() || !("signalAllAcceptedCredentials" in PublicKeyCredential)) return;
  const allAcceptedCredentialIds = passkeys.map(({ credentialId }) => credentialId);
  // A password manager that refuses the list goes on to offer removed passkeys, which the sign-in refuses.
  PublicKeyCredential.signalAllAcceptedCredentials({ rpId, userId: userHandle, allAcceptedCredentialIds }).catch(
    () => undefined,
  );
}

/** Tells the password manager that the server does not know a passkey, if `error` says so. */
export function signalUnknownPasskey(error: unknown, { id }: PasskeyAssertion): void {
  if (!(error instanceof ApiError) || error.body.code !== "PASSKEY_UNKNOWN") return;
  if (!("signalUnknownCredential" in PublicKeyCredential)) return;
  PublicKeyCredential.signalUnknownCredential({ rpId: location.hostname, credentialId: id }).catch(() => undefined);
}
