/** The digits and letters of ASCII, in the order of base 62. */
export const BASE_62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** @param alphabet at most 256 ASCII characters @returns secret text in which all characters are equally likely */
export function randomText(alphabet: string, length: number): string {
  // Bytes from `end` on would make the first characters of the alphabet more likely than the last, so such bytes are
  // skipped.
  const end = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < end) text += alphabet[byte % alphabet.length] ?? "";
    }
  }
  return text.slice(0, length);
}
