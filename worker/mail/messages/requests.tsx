import { PRODUCT_NAME } from "#domain/brand.ts";
import { formatBytes } from "#domain/units.ts";
import { List, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../mail.ts";
import { countFiles } from "./files.tsx";

interface Receipt {
  /** Some of them, with folders. */
  files: readonly { path: string; size: number; sha256?: string | undefined }[];
  /** How many there are in all. */
  total: number;
  /** Epoch milliseconds. */
  receivedAt: number;
}

/** To a stranger, so in English. */
export function receiptMessage(to: string, { files, total, receivedAt }: Receipt): Message {
  const lines = files.map(
    ({ path, size, sha256 }) => `${path}, ${formatBytes(size)}${sha256 ? `, SHA-256 ${sha256}` : ""}`,
  );
  const more = total - files.length;
  return {
    to,
    subject: `Your ${total === 1 ? "file has" : "files have"} arrived`,
    body: (
      <Mail title="It has arrived">
        <Paragraph>
          {countFiles(total)} that you sent with {PRODUCT_NAME} arrived on{" "}
          {new Date(receivedAt).toISOString().slice(0, 16).replace("T", " at ")} UTC:
        </Paragraph>
        <List items={more > 0 ? [...lines, `and ${more} more`] : lines} />
        <Paragraph>You need not do anything. If you did not send them, ignore this mail.</Paragraph>
      </Mail>
    ),
  };
}
