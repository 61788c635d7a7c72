/** Validation messages of forms that only the account page has, translated by the group `accountFields`. */
const ACCOUNT_FIELD_MESSAGES = [
  "keyNameMissing",
  "keyNameLong",
  "keyScopeMissing",
  "passkeyNameMissing",
  "passkeyNameLong",
  "webhookUrl",
  "webhookEvents",
] as const;
export type AccountFieldMessage = (typeof ACCOUNT_FIELD_MESSAGES)[number];

export function isAccountFieldMessage(message: string): message is AccountFieldMessage {
  return ACCOUNT_FIELD_MESSAGES.some((name) => name === message);
}
