import { readEcdsaSignature, type EcdsaSignature } from "../accounts/ecdsa-signature.ts";

/**
 * Replaces what @simplewebauthn/server imports to read the certificates of authenticators
 * (https://github.com/MasterKale/SimpleWebAuthn/pull/721); a new passkey may not have certificates
 * (worker/accounts/passkey-checks.ts).
 */
function refuse(): never {
  throw new Error("certificates are not read");
}

/** The one structure that the library reads even if there are no certificates. */
export const ECDSASigValue = refuse;

export const AsnParser = {
  /** @throws Error for bytes that are no signature */
  parse: (bytes: Uint8Array, schema: unknown): EcdsaSignature =>
    (schema === ECDSASigValue && readEcdsaSignature(bytes)) || refuse(),
};

export const AuthorityKeyIdentifierExtension = refuse;
export const BasicConstraints = refuse;
export const CRLDistributionPointsExtension = refuse;
export const Certificate = refuse;
export const ECParameters = refuse;
export const ExtendedKeyUsage = refuse;
export const KeyDescription = refuse;
export const OctetString = refuse;
export const RSAPublicKey = refuse;
export const SubjectAlternativeName = refuse;
export const SubjectKeyIdentifierExtension = refuse;
export const X509Certificate = refuse;
export const X509ChainBuilder = refuse;
export const X509Crl = refuse;

export const id_ce_basicConstraints = "";
export const id_ce_extKeyUsage = "";
export const id_ce_keyDescription = "";
export const id_ce_subjectAltName = "";
export const id_ecPublicKey = "";
export const id_ecdsaWithSHA256 = "";
export const id_ecdsaWithSHA384 = "";
export const id_ecdsaWithSHA512 = "";
export const id_ml_dsa_44 = "";
export const id_ml_dsa_65 = "";
export const id_ml_dsa_87 = "";
export const id_rsaEncryption = "";
export const id_secp256r1 = "";
export const id_secp384r1 = "";
export const id_sha1WithRSAEncryption = "";
export const id_sha256WithRSAEncryption = "";
export const id_sha384WithRSAEncryption = "";
export const id_sha512WithRSAEncryption = "";
