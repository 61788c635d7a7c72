import { mkdir } from "node:fs/promises";
import type { SealedFile } from "#domain/seal/manifest.ts";
import { SealError, type SealProblem } from "#domain/seal/seal-error.ts";
import { KeptLease } from "./kept-lease.ts";
import { readLink } from "./link.ts";
import { HELP, readOptions, type Options } from "./options.ts";
import { askPassword, readPassword } from "./password.ts";
import { EXIT, Problem, type ExitCode } from "./problem.ts";
import { saveFile } from "./save-file.ts";
import { listing, Progress } from "./show.ts";
import { openTransfer, type Transfer } from "./transfer.ts";

const EXIT_OF: Record<SealProblem, ExitCode> = {
  damaged: EXIT.damaged,
  manifest: EXIT.damaged,
  version: EXIT.key,
  wrongKey: EXIT.key,
};

process.exitCode = await run(process.argv.slice(2));

async function run(args: string[]): Promise<ExitCode> {
  try {
    const options = readOptions(args);
    if (options === null) console.log(HELP);
    else await open(options);
    return EXIT.done;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    if (error instanceof Problem) return error.exitCode;
    return error instanceof SealError ? EXIT_OF[error.problem] : EXIT.failed;
  }
}

async function open(options: Options): Promise<void> {
  const link = readLink(options.link);
  const kept = new KeptLease(options.out, link.downloadId);
  const transfer = await openTransfer(link, kept, options.passwordStdin ? readPassword : askPassword);
  if (options.list) {
    console.log(listing(transfer.manifest));
    return;
  }
  const files = chosenFiles(transfer, options.files);
  if (!transfer.manifest.final)
    throw new Problem(EXIT.notNow, "This transfer is still arriving. Try again when the sender has finished.");
  await mkdir(options.out, { recursive: true });
  if (transfer.isLimited) await transfer.take();
  for (const file of files) await save(transfer, file, options.out);
  await kept.forget();
}

/** @throws Problem `usage` for a number that the list does not have */
function chosenFiles({ manifest: { files } }: Transfer, numbers: readonly number[]): SealedFile[] {
  if (numbers.length === 0) return files;
  return numbers.map((number) => {
    const file = files[number - 1];
    if (!file) throw new Problem(EXIT.usage, `There is no file ${number}: the list ends at ${files.length}.`);
    return file;
  });
}

async function save(transfer: Transfer, file: SealedFile, folder: string): Promise<void> {
  const progress = new Progress(file);
  try {
    const { path, wasThere } = await saveFile(transfer, file, folder, (bytes) => {
      progress.update(bytes);
    });
    progress.clear();
    console.log(wasThere ? `${path} is there already` : path);
  } finally {
    progress.clear();
  }
  if (transfer.isLimited) await transfer.server.reportOpened(transfer.entryOf(file.stream));
}
