import * as z from "zod/mini";
import { PASSKEY_NAME_MAX_LENGTH, PASSKEY_PURPOSES } from "../passkeys.ts";
import { requiredName } from "./checks.ts";

/** Credentials that are longer than any authenticator's are refused before they are decoded. */
const BYTES_MAX_LENGTH = 16_384;
const CREDENTIAL_ID_MAX_LENGTH = 1364;

const base64url = (maxLength: number) => z.string().check(z.minLength(1), z.maxLength(maxLength), z.regex(/^[\w-]+$/));
const bytes = base64url(BYTES_MAX_LENGTH);
/** At most 1023 bytes (WebAuthn Level 3, 4). */
const credentialId = base64url(CREDENTIAL_ID_MAX_LENGTH);
const publicKeyType = z.literal("public-key");

/** An assertion as the browser's `toJSON` writes it, without the fields that we do not check. */
export const passkeyAssertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: publicKeyType,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: z.optional(z.nullable(base64url(128))),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

export const passkeyAttestation = z.object({
  id: credentialId,
  rawId: credentialId,
  type: publicKeyType,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z._default(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10)), []),
  }),
});
export type PasskeyAttestation = z.infer<typeof passkeyAttestation>;

const name = requiredName("passkeyNameMissing", PASSKEY_NAME_MAX_LENGTH, "passkeyNameLong");

export const passkeyOptionsRequest = z.object({ purpose: z.enum(PASSKEY_PURPOSES) });
export const passkeyLoginRequest = z.object({
  credential: passkeyAssertion,
  rememberMe: z._default(z.boolean(), false),
});
export const addPasskeyRequest = z.object({ name, credential: passkeyAttestation });
export const changePasskeyRequest = z.object({ name });

interface CredentialDescriptor {
  type: "public-key";
  /** base64url */
  id: string;
  transports: string[];
}

/** The argument of `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export interface PasskeyRequestOptions {
  challenge: string;
  rpId: string;
  /** Milliseconds. */
  timeout: number;
  userVerification: "required";
  /** An empty list allows every passkey of this site. */
  allowCredentials: CredentialDescriptor[];
}

/** The argument of `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export interface PasskeyCreationOptions {
  challenge: string;
  rp: { id: string; name: string };
  /** `id`: the user handle, base64url. */
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: { type: "public-key"; alg: number }[];
  /** Milliseconds. */
  timeout: number;
  attestation: "none";
  authenticatorSelection: { residentKey: "required"; requireResidentKey: true; userVerification: "required" };
  excludeCredentials: CredentialDescriptor[];
}

export interface ListedPasskey {
  id: string;
  /** base64url */
  credentialId: string;
  name: string;
  /** ISO 8601, as are the other moments. */
  createdAt: string;
  lastUsedAt: string | null;
  /** Whether the passkey is stored outside its device, such as in a password manager. */
  isBackedUp: boolean;
}

/** The passkeys of an account, as the page reports them to the password manager. */
export interface PasskeysAnswer {
  passkeys: ListedPasskey[];
  rpId: string;
  /** base64url */
  userHandle: string;
}
