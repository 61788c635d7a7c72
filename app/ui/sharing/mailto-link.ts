/** Opens the person's own mail program (RFC 6068). A `#` in the text is written `%23`. */
export function mailtoLink(subject: string, body: string): string {
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll("\n", "\r\n"))}`;
}
