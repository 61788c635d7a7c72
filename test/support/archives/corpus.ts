import { layOutZip, type ZipLayout } from "#domain/zip.ts";
import { pack, type Objects, type PackedFile } from "./packed.ts";

const encoder = new TextEncoder();
const MODIFIED_MS = Date.UTC(2026, 10, 22, 12, 34, 57);

const file = (path: string, modifiedMs = MODIFIED_MS): PackedFile => ({
  path,
  bytes: path.endsWith("/") || path.includes("empty") ? new Uint8Array() : encoder.encode(`The bytes of ${path}\n`),
  modifiedMs,
});

const DATES = [
  "1970-01-01T00:00:00Z",
  "1970-01-02T03:04:05Z",
  "1979-12-31T23:59:59Z",
  "1980-01-01T00:00:00Z",
  "2026-03-29T01:30:01Z",
  "2026-07-01T12:00:01.999Z",
  "2026-11-01T06:30:00Z",
  "2038-01-19T03:14:07Z",
  "2039-01-01T00:00:00Z",
  "2050-06-15T12:34:56Z",
  "2107-12-31T23:59:58Z",
];

/** Archives that every reader must take. A folder has "/" at its end; what is named "empty" is empty. */
export const CORPUS = {
  names: [
    "grüße – ß.txt",
    "Ελληνικά/Привет.txt",
    "日本語/こんにちは世界.txt",
    "مرحبا/שלום.txt",
    "👩‍👩‍👧‍👦/🏳️‍🌈 emoji 🎉.txt",
    "signs/it's 100% #1 & (2) [3] {4} ~ $5 + = @ ! , ;.txt",
    "one/two/three/four/five/six/seven/eight/deep.txt",
    `long/${"ä".repeat(118)}.txt`,
  ].map((path) => file(path)),
  empty: ["empty file.txt", "empty folder/", "folder/a file.txt", "folder/empty folder/", "folder/empty.txt"].map(
    (path) => file(path),
  ),
  dates: DATES.map((date) => file(`${date.replaceAll(":", "-")}.txt`, Date.parse(date))),
  many: Array.from({ length: 10_000 }, (_, n) => file(`folder ${n % 100}/file ${n}.txt`, MODIFIED_MS + n * 1000)),
};

export type CorpusName = keyof typeof CORPUS;

export async function layOutCorpus(name: CorpusName): Promise<{ layout: ZipLayout; objects: Objects }> {
  const { entries, objects } = pack(CORPUS[name], 500);
  return { layout: await layOutZip(entries), objects };
}

/** Whether an archive gives this date as a Unix second. Later ones are MS-DOS' alone: most readers take it for local. */
export function isInstant(modifiedMs: number): boolean {
  return modifiedMs < 2 ** 31 * 1000;
}
