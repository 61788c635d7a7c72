import { Folder } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { nameOfManifest, sizeOfManifest, useKeptLink } from "#app/lib/sealing/use-kept-links.ts";
import { FileIcon } from "#app/ui/file-icon.tsx";
import { PictureMark } from "#app/ui/picture-mark.tsx";
import { ProtectionBadges } from "#app/ui/protection/protection-badges.tsx";
import { useProtectionNow } from "#app/ui/protection/use-protection-now.ts";
import { wholeLink } from "#domain/seal/fragment.ts";
import type { ListedFile, LinkProtection } from "#domain/wire.ts";

export interface ShownFile {
  file: ListedFile;
  /** Null for a sealed link whose key this browser does not have. */
  shareUrl: string | null;
}

/** A file with the names that its owner sees. Only a browser with the key of a sealed link can decrypt names. */
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

/** @returns a file's name, or a transfer's title, because a transfer's `filename` is the name of its ZIP */
export function nameOf({ filename, title }: Pick<ListedFile, "filename" | "title">): string {
  return title ?? filename;
}

/** Stands in place of a sealed link whose key this browser does not have. */
export function KeyMissing() {
  const t = useMessages("sealing");
  return (
    <>
      <span className="font-medium text-amber-ink">{t("keyMissing")}.</span> {t("keyMissingHelp")}
    </>
  );
}

/** The first pictures of the link, or the icon of the file's type or of a transfer. */
export function FileMark({ file }: { file: ListedFile }) {
  const isTransfer = file.entries !== undefined;
  return (
    <PictureMark downloadId={file.downloadId} isTransfer={isTransfer} pictures={file.pictures}>
      {isTransfer ? <Folder size={22} aria-hidden data-kind="transfer" /> : <FileIcon filename={nameOf(file)} />}
    </PictureMark>
  );
}

/**
 * The badges of a link's protection. If the link has a download limit, its gate is asked, because only the gate knows
 * whether unfinished downloads use up the limit.
 */
export function FileProtection({ file, guards }: { file: ListedFile; guards: LinkProtection }) {
  const hasGate = guards.maxDownloads !== null && !guards.isUsedUp && !file.isExpired;
  return hasGate ? <GatedBadges id={file.id} guards={guards} /> : <ProtectionBadges guards={guards} />;
}

function GatedBadges({ id, guards }: { id: string; guards: LinkProtection }) {
  const { data: now } = useProtectionNow(id, { again: false });
  return <ProtectionBadges guards={guards} isWaiting={now?.isWaiting ?? false} />;
}
