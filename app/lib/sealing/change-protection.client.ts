import { wholeLink } from "#domain/seal/fragment.ts";
import type { ChangeProtection, LinkProtection } from "#domain/wire.ts";
import { wrapForLink } from "#engine/sealing/link-keys.ts";
import { call } from "../api.ts";
import { changeKeptLink, listKeptLinks } from "./kept-links.client.ts";
import { hashPassword } from "./password-hash.ts";

/**
 * Changes a sealed link's protection. Encrypts the link's secret anew, since the server must not learn the password.
 * @param id of the upload @returns the new link, whose fragment says whether there is a password @throws ApiError
 */
export async function changeSealedProtection(
  id: string,
  { password, ...others }: ChangeProtection,
): Promise<{ guards: LinkProtection | undefined; shareUrl: string }> {
  const kept = (await listKeptLinks()).find(({ uploadId }) => uploadId === id);
  if (!kept) throw new TypeError("the key of this link is not kept here");
  const { access, wrap, accessHash, kdf = null } = await wrapForLink(hashPassword, kept, password ?? "");
  const body = { guards: { ...others, wrap, accessHash, kdf } };
  const { guards } = await call("PATCH /api/files/:id", { params: { id }, body });
  const changed = { access, hasPassword: kdf !== null };
  await changeKeptLink(kept.downloadId, changed);
  const shareUrl = `${location.origin}/download/${kept.downloadId}`;
  return { guards, shareUrl: wholeLink(shareUrl, { ...kept, ...changed }) };
}
