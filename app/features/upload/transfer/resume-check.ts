import { listEntries } from "#engine/transfer/transfer-api.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { TransferList } from "#engine/transfer/transfer-list.ts";
import type { TransferPorts } from "#engine/ports.ts";

/** How a choice differs from the unfinished transfer that it is to go on with. */
export interface ResumeCheck {
  /** How many of the chosen files the transfer has. */
  known: number;
  /** Paths of those that it does not have: they are added. */
  added: string[];
}

/** Reads the transfer's whole list. @throws ApiError, and AbortError by `signal` */
export async function checkResume(
  ports: TransferPorts,
  { downloadId, seal }: Pick<UnfinishedUpload, "downloadId" | "seal">,
  { entries }: TransferList,
  signal: AbortSignal,
): Promise<ResumeCheck> {
  const announced = new Set(seal ? await sealedPaths(downloadId) : await plainPaths(ports, downloadId, signal));
  const added = entries.map(({ path }) => path).filter((path) => !announced.has(path));
  return { known: entries.length - added.length, added };
}

async function plainPaths(ports: TransferPorts, downloadId: string, signal: AbortSignal): Promise<string[]> {
  const listed = await listEntries(ports, downloadId, signal);
  return listed.map(({ path }) => path);
}

/** Only a browser that keeps the link's keys can read them. */
async function sealedPaths(downloadId: string): Promise<string[]> {
  const { readKeptManifest } = await importWhenOnline(() => import("#app/lib/sealing/read-kept-manifest.client.ts"));
  const manifest = await readKeptManifest(downloadId);
  return manifest?.files.map(({ name }) => name) ?? [];
}
