import { useMessages } from "#app/lib/i18n/messages.ts";
import { wholeLink } from "#engine/sealing/whole-link.ts";
import { nameOfManifest, sizeOfManifest } from "#app/lib/sealing/shown-name.ts";
import { useKeptLink } from "#app/lib/sealing/use-kept-links.ts";
import type { ListedFile } from "#domain/wire.ts";

export interface ShownFile {
  file: ListedFile;
  /** Null for a sealed link whose key this browser does not have. */
  shareUrl: string | null;
}

/** A file as its owner knows it: only a browser that has the key can name what was sealed. */
export function useShownFile(listed: ListedFile, shareUrl: string): ShownFile {
  const t = useMessages("sealing");
  const isSealed = listed.seal !== undefined;
  const kept = useKeptLink(listed.downloadId, isSealed);
  if (!isSealed) return { file: listed, shareUrl };
  if (!kept) {
    const name = t("unnamed");
    return {
      file: { ...listed, filename: name, ...(listed.entries !== undefined && { title: name }) },
      shareUrl: null,
    };
  }
  const { manifest } = kept;
  const name = nameOfManifest(manifest);
  const { message = null } = manifest;
  const words = listed.entries === undefined ? {} : { title: name, message };
  const file = { ...listed, filename: name, size: sizeOfManifest(manifest), ...words };
  return { file, shareUrl: wholeLink(shareUrl, kept) };
}
