import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { ListedFile } from "#domain/wire.ts";
import { filesApi } from "./files-api.ts";

interface Words {
  /** The file's name, or the transfer's title. */
  filename: string;
  message?: string;
}

/**
 * Changes a name, title or message. The words of a sealed link are only in its encrypted list, so this browser changes
 * the list. @throws ApiError, SealError
 */
export async function changeWords({ id, downloadId, seal, entries }: ListedFile, words: Words): Promise<void> {
  if (!seal) {
    await filesApi.changeFile(id, words);
    return;
  }
  const { editKeptManifest, renamed } = await importWhenOnline(
    () => import("#app/lib/sealing/kept-manifest.client.ts"),
  );
  await editKeptManifest(downloadId, (manifest) => renamed(manifest, entries !== undefined, words));
}

/** Deletes a removed file's name from the encrypted list of a sealed transfer. @throws ApiError, SealError */
export async function forgetEntry({ downloadId, seal }: ListedFile, n: number): Promise<void> {
  if (!seal) return;
  const { editKeptManifest } = await importWhenOnline(() => import("#app/lib/sealing/kept-manifest.client.ts"));
  await editKeptManifest(downloadId, ({ files, ...others }) => ({
    ...others,
    files: files.filter(({ stream }) => stream !== n),
  }));
}

/** The browser keeps the keys of a sealed link until the link ends, so a new expiry is saved with the keys. */
export async function keepExpiry({ downloadId, seal }: ListedFile, expiresAt: string | null): Promise<void> {
  if (!seal) return;
  const { changeKeptLink } = await importWhenOnline(() => import("#app/lib/sealing/kept-links.client.ts"));
  await changeKeptLink(downloadId, { expiresAt: expiresAt === null ? null : Date.parse(expiresAt) }).catch(
    () => undefined,
  );
}
