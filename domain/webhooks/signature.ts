/** Signatures of Standard Webhooks 1.0 (https://www.standardwebhooks.com). */

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

const encoder = new TextEncoder();

/** @returns `whsec_` and base64 of 256 random bits */
export function newWebhookSecret(): string {
  return `${PREFIX}${toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`;
}

/** What is signed. @param timestamp epoch seconds */
export function signatureInput(id: string, timestamp: number, body: string): string {
  return `${id}.${timestamp}.${body}`;
}

/**
 * @param secrets each as `newWebhookSecret` writes them @param now epoch milliseconds of this try
 * @returns the request's three headers; one signature for each secret
 */
export async function signedHeaders(
  secrets: readonly string[],
  id: string,
  now: number,
  body: string,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(now / 1000);
  const input = signatureInput(id, timestamp, body);
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, input)));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.map((signature) => `v1,${signature}`).join(" "),
  };
}

async function sign(secret: string, input: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.slice(PREFIX.length)), (character) => character.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(input))));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
