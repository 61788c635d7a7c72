import { requestToken } from "#domain/wire.ts";

/**
 * The token of an upload request in `Authorization: Bearer`. Its form tells it apart from an API key, which begins with
 * the product's name and is longer.
 */
export function requestTokenIn(headers: Headers): string | null {
  const [, token = ""] = /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "") ?? [];
  return requestToken.safeParse(token).success ? token : null;
}
