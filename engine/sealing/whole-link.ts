import { writeFragment, type Fragment } from "#domain/seal/fragment.ts";

/** The link as it is given away. @param shareUrl without a fragment */
export function wholeLink(shareUrl: string, { linkSecret, hasPassword }: Fragment): string {
  return `${shareUrl}#${writeFragment({ linkSecret, hasPassword })}`;
}
