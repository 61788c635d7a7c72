import type { ListedEntry } from "#domain/wire.ts";

interface ReceiptText {
  title: string;
  /** How much arrived, and when. */
  summary: string;
  entries: readonly Pick<ListedEntry, "path" | "size" | "sha256">[];
}

/** Plain text. Its lines about files are those of `sha256sum`, so `sha256sum --check` reads them. */
export function writeReceipt({ title, summary, entries }: ReceiptText): string {
  const lines = entries
    .filter(({ path }) => !path.endsWith("/"))
    .map(({ path, sha256 }) => (sha256 === undefined ? `# ${path}` : `${sha256}  ${path}`));
  return [`# ${title}`, `# ${summary}`, "", ...lines, ""].join("\n");
}
