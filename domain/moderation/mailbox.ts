const GOOGLE = /^(?:gmail|googlemail)\.com$/;

/**
 * The mailbox that an address reaches: without a tag behind "+", and for Google's mail without dots, because Google
 * ignores them (https://support.google.com/mail/answer/7436150).
 */
export function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  const local = address.slice(0, Math.max(at, 0)).replace(/(?<=.)\+.*$/, "");
  return GOOGLE.test(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}
