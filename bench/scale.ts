import { meanOf, scaleOf, type ScaleFigures, type Site, type StatementUse, type UploadUse } from "./scale/model.ts";
import { DOWNLOAD_SHARES, UPLOAD_SHARES, type MeasuredUse } from "./scale/site.ts";
import { proveInTest } from "./support/in-test.ts";

/** Computes for docs/scale.md what one database carries, from what single uploads and downloads add to a local D1. */
export function measureScale(): void {
  const { lines } = proveInTest({ file: "test/worker/database-use.test.ts", title: "one database carries" }, {});
  const line = lines.flatMap((text) => /measured use (\{.*\})/.exec(text)?.[1] ?? [])[0];
  if (line === undefined) throw new Error("the test measured nothing");
  const { measured, site } = JSON.parse(line) as { measured: MeasuredUse; site: Site };
  const upload = meanOf(measured.uploads, UPLOAD_SHARES);
  const download = meanOf(measured.downloads, DOWNLOAD_SHARES);
  const uploads = { ...measured.uploads, mean: upload };
  const downloads = { ...measured.downloads, mean: download };
  const shares: Record<string, number> = { ...UPLOAD_SHARES, ...DOWNLOAD_SHARES };
  console.log(
    [
      table(
        ["upload", "share", "statements", "rows read", "rows written", "bytes while live", "of its row", "in the log"],
        Object.entries<UploadUse>(uploads).map(([kind, use]) => [
          ...cellsOf(kind, shares[kind], use),
          ...[use.liveBytes, use.rowBytes, use.logBytes].map((bytes) => Math.round(bytes).toLocaleString("en")),
        ]),
      ),
      table(
        ["download", "share", "statements", "rows read", "rows written"],
        Object.entries<StatementUse>(downloads).map(([kind, use]) => cellsOf(kind, shares[kind], use)),
      ),
      table(["one database", ""], Object.entries(describe(scaleOf(upload, download, site), site))),
    ].join("\n\n"),
  );
}

function cellsOf(kind: string, share: number | undefined, { statements, rowsRead, rowsWritten }: StatementUse) {
  const numbers = [statements, rowsRead, rowsWritten].map((number) => number.toLocaleString("en", DIGITS));
  return [kind, share === undefined ? "" : `${Number((100 * share).toFixed(1))} %`, ...numbers];
}

const DIGITS = { maximumFractionDigits: 1 };

function describe(figures: ScaleFigures, site: Site): Record<string, string> {
  const { uploadsPerDay, downloadsPerDay, lifetimeDays, endedFileDays, uploadLogDays, limitBytes } = site;
  const number = (value: number) => Math.round(value).toLocaleString("en");
  const { daysUntilFull, steadyBytes } = figures;
  return {
    "uploads and downloads a day": `${number(uploadsPerDay)} and ${number(downloadsPerDay)}`,
    "days that links, ended rows and the log stay": `${lifetimeDays}, ${endedFileDays}, ${uploadLogDays}`,
    "size once as much goes as comes": `${(steadyBytes / 1e9).toFixed(2)} GB of ${limitBytes / 1e9}`,
    "days until it is full": daysUntilFull === null ? "never" : number(daysUntilFull),
    "most uploads a day": number(figures.mostUploadsPerDay),
    "most downloads a day beside the uploads": number(figures.mostDownloadsPerDay),
    "statements a second, at the peak": number(figures.statementsPerSecondAtPeak),
  };
}

/** A table as Prettier writes it, so that the table can go into a document. */
function table(heads: string[], rows: string[][]): string {
  const widths = heads.map((head, at) =>
    Math.max(3, ...[head, ...rows.map((row) => row[at] ?? "")].map((cell) => cell.length)),
  );
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(heads), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
