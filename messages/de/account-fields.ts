import { KEY_NAME_MAX_LENGTH } from "#domain/api-keys.ts";
import { PASSKEY_NAME_MAX_LENGTH } from "#domain/passkeys.ts";
import { WEBHOOK_URL_MAX_LENGTH } from "#domain/webhooks/url.ts";
import type { Translated } from "../messages.ts";

export const accountFields: Translated<"accountFields"> = {
  keyNameMissing: "Gib dem Schlüssel einen Namen.",
  keyNameLong: `Ein Name hat höchstens ${KEY_NAME_MAX_LENGTH} Zeichen.`,
  keyScopeMissing: "Wähle aus, was der Schlüssel darf.",
  passkeyNameMissing: "Gib dem Passkey einen Namen.",
  passkeyNameLong: `Ein Name hat höchstens ${PASSKEY_NAME_MAX_LENGTH} Zeichen.`,
  webhookUrl: `Gib die Adresse des Empfängers ein, mit höchstens ${WEBHOOK_URL_MAX_LENGTH} Zeichen.`,
  webhookEvents: "Wähle mindestens ein Ereignis aus.",
};
