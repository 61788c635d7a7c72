import { RECOVERY_CODES } from "./sign-in.ts";
import { randomText } from "./random-text.ts";

/** Crockford's base 32, which leaves out I, L, O and U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 50 bits. */
const LENGTH = 10;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** @returns ten codes as people read them, such as `7Q4ZK-M2X9D` */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(randomText(ALPHABET, LENGTH));
  return [...codes].map((code) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`);
}

/**
 * Reads what people type: in any case, with spaces or hyphens anywhere, and with the letters that look like digits.
 * @returns null for what is no recovery code
 */
export function readRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return CODE.test(code) ? code : null;
}
