import { KEY_SCOPES, type KeyLifetime, type KeyScope } from "./api-keys.ts";
import { BASE_62, randomText } from "./random-text.ts";
import { MINUTE_MS, SECOND_MS } from "./units.ts";

/** How long a program may wait for a person's consent. */
export const DEVICE_CODE_TTL_MS = 10 * MINUTE_MS;
/** The shortest interval between two polls of a program. */
export const DEVICE_POLL_MS = 5 * SECOND_MS;

/** The lifetime of a program's API key. The page of consent shows the lifetime, but a person cannot choose it. */
export const DEVICE_KEY_LIFETIME: KeyLifetime = "90d";
export const DEVICE_KEY_SCOPES: readonly KeyScope[] = KEY_SCOPES;

/** The grant type of RFC 8628, section 3.4. */
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** The states of a device code. */
export const DEVICE_STATES = ["waiting", "approved", "refused"] as const;

/** 256 random bits. */
const DEVICE_CODE_CHARACTERS = 43;
/** The letters of RFC 8628, section 6.1. A code without vowels has no words, and without digits no look-alikes. */
const USER_CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const USER_CODE_LENGTH = 8;
const USER_CODE = new RegExp(`^[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH}}$`);

/** Creates the code that only the program has. The code is a secret. */
export function createDeviceCode(): string {
  return randomText(BASE_62, DEVICE_CODE_CHARACTERS);
}

/** Creates the code that a person reads in the program and types into the page: eight letters. */
export function createUserCode(): string {
  return randomText(USER_CODE_LETTERS, USER_CODE_LENGTH);
}

/** @returns the code with a dash, such as BCDF-GHJK */
export function showUserCode(code: string): string {
  return `${code.slice(0, USER_CODE_LENGTH / 2)}-${code.slice(USER_CODE_LENGTH / 2)}`;
}

/** @param typed in any case, with or without dash and spaces @returns the eight letters; null for anything else */
export function readUserCode(typed: string): string | null {
  const code = typed.replaceAll(/[\s\p{Pd}]/gu, "").toUpperCase();
  return USER_CODE.test(code) ? code : null;
}
