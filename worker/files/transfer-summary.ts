import type { FileRow } from "../db/files.ts";
import { describeList } from "../downloads/entries.ts";
import { NAMED_FILES, type TransferSummary } from "../mail/messages/files.tsx";
import type { Services } from "../services.ts";

/** What mails say a transfer holds. Call before its list is deleted. */
export async function summarizeTransfer(
  services: Services,
  file: Pick<FileRow, "id" | "status" | "entryCount" | "seal">,
): Promise<TransferSummary> {
  const { entries, total } = await describeList(services, file, { from: 0, count: NAMED_FILES, withRemoved: false });
  return { paths: entries.map(({ path }) => path), entries: total };
}
