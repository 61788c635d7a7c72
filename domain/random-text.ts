/** The digits and letters of ASCII, in the order of base 62. */
export const BASE_62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** @param alphabet at most 256 characters of ASCII @returns secret text in which each of them is as likely as the others */
export function randomText(alphabet: string, length: number): string {
  // With the bytes from here on, the first characters of the alphabet would be more likely than the last.
  const end = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < end) text += alphabet[byte % alphabet.length] ?? "";
    }
  }
  return text.slice(0, length);
}
