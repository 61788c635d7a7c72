import { PRODUCT_NAME } from "#domain/brand.ts";
import { formatBytes } from "#domain/units.ts";
import { translatorFor } from "#messages/compiled.ts";
import { Action, List, Paragraph } from "../elements.tsx";
import type { Message } from "../message.tsx";
import { momentOf, stoppable, type Reader } from "./notices.tsx";

export interface ReceivedFile {
  /** The file's path, folders included. */
  path: string;
  /** The file's size in bytes. */
  size: number;
  sha256?: string | undefined;
}

/** The files of one upload through a request. */
export interface ReceiptTransfer {
  /** The first files of the upload. Null if the reader has not confirmed that the mail address is theirs. */
  files: readonly ReceivedFile[] | null;
  /** The number of all files of the upload. */
  entries: number;
  /** The size of all files of the upload, in bytes. */
  size: number;
  /** Epoch milliseconds. */
  receivedAt: number;
}

/**
 * A receipt for files sent through a request. The reader of a receipt may be a stranger, because a sender typed the
 * address.
 */
export function receiptMessage(reader: Reader, transfers: readonly ReceiptTransfer[]): Message {
  const t = translatorFor(reader.locale, "noticeMails");
  const total = transfers.reduce((sum, { entries }) => sum + entries, 0);
  const isNameless = transfers.every(({ files }) => files === null);
  const items = transfers.flatMap(({ files, entries, size, receivedAt }) => {
    const count = t("files", { count: entries });
    const at = momentOf(receivedAt, reader);
    const more = entries - (files?.length ?? entries);
    return [
      t("receiptItem", { files: count, size: formatBytes(size, reader.locale), at }),
      ...(files ?? []).map(({ path, size: bytes, sha256 }) =>
        [path, formatBytes(bytes, reader.locale), ...(sha256 === undefined ? [] : [`SHA-256 ${sha256}`])].join(", "),
      ),
      ...(more > 0 ? [t("andMore", { more: more.toLocaleString(reader.locale) })] : []),
    ];
  });
  return stoppable(reader, {
    subject: t("receiptSubject", { count: total }),
    title: t("arrivedTitle"),
    body: (
      <>
        <Paragraph>{t("receiptText", { product: PRODUCT_NAME })}</Paragraph>
        <List items={items} />
        {isNameless && (
          <>
            <Paragraph>{t("receiptNameless")}</Paragraph>
            <Action href={reader.unsubscribeUrl}>{t("receiptConfirm")}</Action>
          </>
        )}
        <Paragraph>{t("receiptIgnore")}</Paragraph>
      </>
    ),
  });
}
