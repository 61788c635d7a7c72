import { SealError, type SealProblem } from "#domain/seal/seal-error.ts";
import { openLink, type Report } from "./open-link.ts";
import { HELP, readOptions } from "./options.ts";
import { EXIT, Problem, type ExitCode } from "./problem.ts";
import { Progress, shown } from "./show.ts";

const EXIT_OF: Record<SealProblem, ExitCode> = {
  damaged: EXIT.damaged,
  manifest: EXIT.damaged,
  version: EXIT.key,
  wrongKey: EXIT.key,
};

let progress: Progress | null = null;

const report: Report = {
  listed: (text) => console.log(text),
  saved: (path) => console.log(shown(path)),
  there: (path) => console.log(`${shown(path)} is there already`),
  note: (text) => {
    progress?.clear();
    console.error(shown(text));
  },
  progressOf: (file) => (progress = new Progress(file)),
};

// Without top-level `await`, because modules that the bundle places after this module wait for its end.
void run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});

async function run(args: string[]): Promise<ExitCode> {
  try {
    const options = readOptions(args);
    if (options === null) console.log(HELP);
    else await openLink(options, { fetch, report });
    return EXIT.done;
  } catch (error) {
    console.error(shown(error instanceof Error ? error.message : String(error)));
    if (error instanceof Problem) return error.exitCode;
    return error instanceof SealError ? EXIT_OF[error.problem] : EXIT.failed;
  }
}
