import { KEY_NAME_MAX_LENGTH } from "#domain/api-keys.ts";
import { PASSKEY_NAME_MAX_LENGTH } from "#domain/passkeys.ts";
import { WEBHOOK_URL_MAX_LENGTH } from "#domain/webhooks/url.ts";

/** Validation messages of forms that only the account page has, also sent by the API. */
export const accountFields = {
  keyNameMissing: "Give the key a name.",
  keyNameLong: `A name has at most ${KEY_NAME_MAX_LENGTH} characters.`,
  keyScopeMissing: "Choose what the key may do.",
  passkeyNameMissing: "Give the passkey a name.",
  passkeyNameLong: `A name has at most ${PASSKEY_NAME_MAX_LENGTH} characters.`,
  webhookUrl: `Enter the address of the receiver, with at most ${WEBHOOK_URL_MAX_LENGTH} characters.`,
  webhookEvents: "Choose at least one event.",
} as const;
