import { DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import { issueDeletion } from "#domain/guards/tokens.ts";
import { chosenExpiration, type CompleteUploadAnswer, type GuardsAtStart, type SendChoices } from "#domain/wire.ts";
import { contentUrl, deletionUrl, shareUrl, toIso } from "../urls.ts";
import type { Services } from "../services.ts";
import type { StoredFormFile, ChosenForStored } from "../uploads/proxy.ts";
import { completeStored } from "../uploads/proxy.ts";
import type { Uploader } from "../callers/uploader.ts";

/** What `complete` answers; a transfer has the last two. */
export type Sent = CompleteUploadAnswer & { zipSize?: number; entries?: number };

/** What the request chose for a link, with the names of uploads. */
export function chosenOf(choices: SendChoices): Omit<ChosenForStored, "filename"> {
  const expiration = chosenExpiration(choices);
  return {
    expiration: expiration ?? DEFAULT_EXPIRATION,
    expirationChosen: expiration !== null,
    guards: guardsOf(choices),
    notify: choices.notify,
  };
}

function guardsOf({ password, downloads, "max-downloads": max }: SendChoices): GuardsAtStart {
  return { password, maxDownloads: downloads ?? max };
}

/** Makes a link of one file. @throws as `completeStored` */
export async function sendStored(
  services: Services,
  uploader: Uploader,
  stored: StoredFormFile,
  filename: string,
  choices: SendChoices,
): Promise<Sent> {
  const { file, expiresAt } = await completeStored(services, uploader, stored, { filename, ...chosenOf(choices) });
  return {
    id: file.id,
    downloadId: file.downloadId,
    shareUrl: shareUrl(services.settings, file.downloadId),
    downloadUrl: contentUrl(services.settings, file.downloadId),
    filename: file.filename,
    size: stored.sizeBytes,
    expiresAt: toIso(expiresAt),
  };
}

/** An address that deletes what was sent. It is a secret. */
export async function deletionUrlOf({ settings, guardKeys }: Services, { id }: Sent): Promise<string> {
  return deletionUrl(settings, id, await issueDeletion(await guardKeys(), id));
}
