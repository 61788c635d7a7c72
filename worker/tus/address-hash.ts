import { hashToken } from "../tokens.ts";

/**
 * What is stored of the address of an upload: SHA-256 in hex. An upload into a request opens with its address and the
 * request's token together, so with no other request's. No header has a line feed, so no upload token of the page's
 * senders has this digest, and their calls do not open the upload.
 * @param secret the end of its address @param requestToken null for an upload of a key
 */
export function addressHash(secret: string, requestToken: string | null): Promise<string> {
  return hashToken(requestToken === null ? secret : `${secret}\n${requestToken}`);
}
