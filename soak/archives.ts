import { mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { crc32 } from "node:zlib";
import { joinCrc32 } from "#domain/checksums.ts";
import { GIB, MIB, SECOND_MS } from "#domain/units.ts";
import { layOutZip, zipPieces } from "#domain/zip.ts";
import { CORPUS, isInstant, layOutCorpus, type CorpusName } from "#test/support/archives/corpus.ts";
import { pack, readZip } from "#test/support/archives/packed.ts";
import { findProgram, PROGRAMS, run, type Program } from "./archives/programs.ts";

const TIME_ZONES = ["UTC", "Asia/Tokyo", "America/New_York"];
const LARGE_BYTES = 4.5 * GIB;

export interface Archives {
  /** The size of each archive in bytes, by the archive's name. */
  sizes: Map<string, number>;
  /** The version of each installed program; null for a program that is not installed. */
  versions: Map<string, string | null>;
  /** The number of whole archives that a program read and checked. */
  tested: number;
  /** The number of compared dates of entries. */
  dates: number;
  problems: string[];
}

interface Proof extends Archives {
  folder: string;
  log: (line: string) => void;
}

type Installed = Program & { command: string };

/** Writes the corpus and an archive of 4.5 GiB, and lets every installed program read the archives. */
export async function proveArchives(log: (line: string) => void): Promise<Archives> {
  const folder = await mkdtemp(`${tmpdir()}/archives-`);
  const proof: Proof = { folder, log, sizes: new Map(), versions: new Map(), tested: 0, dates: 0, problems: [] };
  try {
    for (const name of corpusNames()) {
      const { layout, objects } = await layOutCorpus(name);
      await writeFile(`${folder}/${name}.zip`, readZip(layout, objects));
      proof.sizes.set(name, layout.size);
    }
    proof.sizes.set("large", await writeLargeArchive(`${folder}/large.zip`));
    for (const program of PROGRAMS) await proveProgram(proof, program);
  } finally {
    await rm(folder, { recursive: true });
  }
  return proof;
}

async function proveProgram(proof: Proof, program: Program): Promise<void> {
  const found = findProgram(program);
  proof.versions.set(program.name, found?.version ?? null);
  if (!found) {
    proof.log(`${program.name} is not installed`);
    return;
  }
  const installed = { ...program, command: found.command };
  for (const name of proof.sizes.keys()) {
    const { ok, fault } = run(found.command, program.test(`${proof.folder}/${name}.zip`), "UTC", false);
    if (ok) proof.tested += 1;
    else proof.problems.push(`${program.name} refuses the archive "${name}": ${fault}`);
    proof.log(`${program.name} ${ok ? "takes" : "refuses"} the archive "${name}"`);
  }
  for (const name of corpusNames())
    for (const timeZone of TIME_ZONES) {
      if (program.extract) await proveExtraction(proof, installed, name, timeZone);
      if (program.list) proveList(proof, installed, name, timeZone);
    }
}

async function proveExtraction(
  proof: Proof,
  { name: program, command, extract }: Installed,
  name: CorpusName,
  timeZone: string,
): Promise<void> {
  const folder = `${proof.folder}/${program}-${name}-${timeZone.replace("/", "-")}`;
  await mkdir(folder);
  const { ok, fault } = run(command, extract?.(`${proof.folder}/${name}.zip`, folder) ?? [], timeZone);
  if (!ok) proof.problems.push(`${program} does not extract "${name}": ${fault}`);
  for (const { path, bytes, modifiedMs } of ok ? CORPUS[name] : []) {
    const found = await stat(`${folder}/${path}`).catch(() => null);
    if (found === null) proof.problems.push(`${program} lost ${path}`);
    // A folder's date changes when something is written into it.
    if (!found?.isFile()) continue;
    compareDates(proof, `${program} in ${timeZone}`, path, modifiedMs, found.mtimeMs / SECOND_MS);
    if (crc32(await readFile(`${folder}/${path}`)) !== crc32(bytes)) proof.problems.push(`${program} changed ${path}`);
  }
  await rm(folder, { recursive: true });
}

function proveList(
  proof: Proof,
  { name: program, command, list }: Installed,
  name: CorpusName,
  timeZone: string,
): void {
  const { stdout } = run(command, list?.(`${proof.folder}/${name}.zip`) ?? [], timeZone);
  const seconds = new Map<string, number[]>();
  for (const line of stdout.split("\n")) {
    const [, second = "", path = ""] = /^(-?\d+) (.*)$/.exec(line) ?? [];
    seconds.set(path, [...(seconds.get(path) ?? []), Number(second)]);
  }
  for (const { path, modifiedMs } of CORPUS[name]) {
    const found = seconds.get(path) ?? [];
    if (found.length === 0) proof.problems.push(`${program} lost ${path}`);
    for (const second of found) compareDates(proof, `${program} in ${timeZone}`, path, modifiedMs, second);
  }
}

function compareDates(proof: Proof, reader: string, path: string, modifiedMs: number, second: number): void {
  if (!isInstant(modifiedMs)) return;
  proof.dates += 1;
  const [expected, found] = [modifiedMs / SECOND_MS, second].map(Math.floor);
  if (expected !== found) proof.problems.push(`${reader}: ${path} is from ${found}, not ${expected}`);
}

/** Writes an archive of 4.5 GiB of zeros between two small files, as a sparse file. @returns its size */
async function writeLargeArchive(path: string): Promise<number> {
  const files = ["before.txt", "after.txt"].map((path) => ({
    path,
    bytes: new TextEncoder().encode(path),
    modifiedMs: Date.UTC(2026, 10, 22),
  }));
  const { entries, objects } = pack(files);
  const zeros = {
    path: "zeros.bin",
    sizeBytes: LARGE_BYTES,
    crc32: crc32OfZeros(LARGE_BYTES),
    modifiedMs: Date.UTC(2026, 10, 22),
    object: objects.length,
    offset: 0,
  };
  const layout = await layOutZip(entries.toSpliced(1, 0, zeros));
  const file = await open(path, "w");
  try {
    await file.truncate(layout.size);
    let at = 0;
    for (const piece of zipPieces(layout, 0, layout.size)) {
      const bytes =
        piece instanceof Uint8Array
          ? piece
          : objects[piece.object]?.subarray(piece.offset, piece.offset + piece.length);
      if (bytes) await file.write(bytes, 0, bytes.length, at);
      at += piece.length;
    }
  } finally {
    await file.close();
  }
  return layout.size;
}

/** @param sizeBytes a whole number of megabytes, in bytes */
function crc32OfZeros(sizeBytes: number): number {
  const megabyte = crc32(new Uint8Array(MIB));
  let joined = 0;
  for (let left = sizeBytes; left > 0; left -= MIB) joined = joinCrc32(joined, megabyte, MIB);
  return joined;
}

function corpusNames(): CorpusName[] {
  return Object.keys(CORPUS) as CorpusName[];
}
