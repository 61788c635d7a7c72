import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { decodeAttestationObject, decodeCredentialPublicKey } from "@simplewebauthn/server/helpers";
import * as z from "zod/mini";
import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";
import { AppError } from "#domain/errors.ts";
import {
  PASSKEY_ALGORITHMS,
  readChallenge,
  userHandleOf,
  type ChallengeScope,
  type ReadChallenge,
} from "#domain/passkeys.ts";
import type { PasskeyAssertion, PasskeyAttestation } from "#domain/wire.ts";
import type { PasskeyRow } from "../db/passkeys.ts";
import type { Services } from "../services.ts";
import { readEcdsaSignature } from "./ecdsa-signature.ts";

/** The collected client data (WebAuthn Level 3, 5.8.1). The library checks type and origin. */
const clientData = z.object({ challenge: z.string(), crossOrigin: z.optional(z.literal(false)) });

/** The labels of a COSE key's fields (RFC 9053). An RSA key has its modulus where another key has its curve. */
const COSE = { kty: 1, alg: 3, crv: -1, rsaModulus: -1 } as const;
const KEY_SHAPES = new Map([
  [-7, { kty: 2, crv: 1 }],
  [-8, { kty: 1, crv: 6 }],
]);
const RSA = { alg: -257, kty: 3, minBytes: 256, maxBytes: 512 };

/** The RP ID. Passkeys belong to one host, so a new host needs new passkeys. */
export function rpIdOf({ settings }: Services): string {
  return new URL(settings.origin).hostname;
}

/** @returns the credential's id in the one base64url form that we store @throws AppError PASSKEY_REFUSED */
export function canonicalId({ id, rawId }: { id: string; rawId: string }): string {
  const bytes = id === rawId ? fromBase64url(id) : null;
  if (!bytes) throw refused();
  return toBase64url(bytes);
}

/**
 * Checks a passkey's answer. The caller uses up the challenge and compares the counter.
 * @param now epoch milliseconds @throws AppError PASSKEY_REFUSED
 */
export async function checkAssertion(
  services: Services,
  passkey: PasskeyRow,
  credential: PasskeyAssertion,
  scope: ChallengeScope,
  now: number,
): Promise<{ challenge: ReadChallenge; counter: number; isBackedUp: boolean }> {
  const { id, rawId, type, response } = credential;
  const challenge = await checkClientData(services, response.clientDataJSON, scope, now);
  const { userHandle, clientDataJSON, authenticatorData, signature } = response;
  if (typeof userHandle === "string" && userHandle !== userHandleOf(passkey.userId)) throw refused();
  const publicKey = fromBase64url(passkey.publicKey);
  const signatureBytes = fromBase64url(signature);
  if (!publicKey || !signatureBytes) throw refused();
  if (passkey.algorithm === -7 && !readEcdsaSignature(signatureBytes)) throw refused();
  const { verified, authenticationInfo } = await orRefuse(
    verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: () => true,
      expectedOrigin: services.settings.origin,
      expectedRPID: rpIdOf(services),
      requireUserVerification: true,
      // The library compares counters before it checks the signature, so anybody could make the library report a copy.
      credential: { id, publicKey, counter: 0 },
    }),
  );
  if (!verified) throw refused();
  const { newCounter, credentialBackedUp } = authenticationInfo;
  return { challenge, counter: newCounter, isBackedUp: credentialBackedUp };
}

interface CheckedPasskey {
  challenge: ReadChallenge;
  credentialId: string;
  /** A COSE key in base64url. */
  publicKey: string;
  algorithm: number;
  counter: number;
  aaguid: string;
  isBackedUp: boolean;
}

/** Checks a new passkey. @param now epoch milliseconds @throws AppError PASSKEY_REFUSED */
export async function checkAttestation(
  services: Services,
  { id, rawId, type, response }: PasskeyAttestation,
  scope: ChallengeScope,
  now: number,
): Promise<CheckedPasskey> {
  const { clientDataJSON, attestationObject } = response;
  const challenge = await checkClientData(services, clientDataJSON, scope, now);
  if (!hasNoCertificates(attestationObject)) throw refused();
  const { verified, registrationInfo } = await orRefuse(
    verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: () => true,
      expectedOrigin: services.settings.origin,
      expectedRPID: rpIdOf(services),
      requireUserPresence: true,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    }),
  );
  if (!verified) throw refused();
  const { credential, aaguid, credentialBackedUp } = registrationInfo;
  const credentialId = canonicalId({ id, rawId });
  const algorithm = algorithmOf(credential.publicKey);
  if (credential.id !== credentialId || algorithm === null) throw refused();
  return {
    challenge,
    credentialId,
    publicKey: toBase64url(credential.publicKey),
    algorithm,
    counter: credential.counter,
    aaguid,
    isBackedUp: credentialBackedUp,
  };
}

/** Compares the challenge as bytes, because browsers may write its last base64url character differently. */
async function checkClientData(
  services: Services,
  clientDataJSON: string,
  scope: ChallengeScope,
  now: number,
): Promise<ReadChallenge> {
  const bytes = fromBase64url(clientDataJSON);
  const data = clientData.safeParse(bytes && parseJson(bytes));
  if (!data.success) throw refused();
  const challenge = await readChallenge(await services.challengeKey(), scope, data.data.challenge, now);
  if (!challenge) throw refused();
  return challenge;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    return null;
  }
}

/** We ask for no attestation and accept no certificates: to check them, the library would fetch URLs that they name. */
function hasNoCertificates(attestationObject: string): boolean {
  const bytes = fromBase64url(attestationObject);
  if (!bytes) return false;
  try {
    const attestation = decodeAttestationObject(bytes);
    const format = attestation.get("fmt");
    if (format === "none") return true;
    return format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
  } catch {
    return false;
  }
}

/** @returns null for a key whose type, curve or length does not fit its algorithm */
function algorithmOf(publicKey: Uint8Array<ArrayBuffer>): number | null {
  const key: { get(name: number): unknown } = decodeCredentialPublicKey(publicKey);
  const algorithm = key.get(COSE.alg);
  const kty = key.get(COSE.kty);
  if (typeof algorithm !== "number") return null;
  if (algorithm === RSA.alg) {
    const modulus = key.get(COSE.rsaModulus);
    const length = modulus instanceof Uint8Array ? modulus.length : 0;
    return kty === RSA.kty && length >= RSA.minBytes && length <= RSA.maxBytes ? algorithm : null;
  }
  const shape = KEY_SHAPES.get(algorithm);
  return shape?.kty === kty && shape?.crv === key.get(COSE.crv) ? algorithm : null;
}

/** The library throws an Error for whatever it rejects or cannot read. @throws AppError PASSKEY_REFUSED instead */
async function orRefuse<Result>(check: Promise<Result>): Promise<Result> {
  try {
    return await check;
  } catch {
    throw refused();
  }
}

function refused(): AppError {
  return new AppError("PASSKEY_REFUSED");
}
