import { CLI_VERSION, isNewerVersion, OLDEST_NODE } from "#domain/cli-package.ts";
import { describeError, EXIT, type ExitCode, interrupt } from "./failure.ts";
import { describeNewerVersion } from "./newer-version.ts";
import { isCommand, readOptions, usage, type CommandName, type OptionsOf } from "./options.ts";
import { writeError, writeLines } from "./terminal.ts";

const account = () => import("./commands/account.ts");
const sent = () => import("./commands/sent.ts");

/** Each command loads only its own modules, because loading all of them would take most of Node's start. */
const COMMANDS: { [Name in CommandName]: () => Promise<Record<Name, Command<Name>>> } = {
  login: account,
  logout: account,
  whoami: account,
  send: () => import("./send/send.ts"),
  get: () => import("./get/get.ts"),
  ls: sent,
  info: sent,
  edit: sent,
  rm: sent,
  request: () => import("./commands/request.ts"),
};
type Command<Name extends CommandName> = (options: OptionsOf<Name>) => Promise<void>;

const HELP_OPTIONS = ["--help", "-h"];
const HELP_NAMES = new Set([...HELP_OPTIONS, "help"]);

if (isNewerVersion(OLDEST_NODE, process.versions.node)) {
  console.error(`mayfly needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}.`);
  process.exit(EXIT.fault);
}

const ARGS = process.argv.slice(2);

process.once("SIGINT", () => interrupt(ARGS));
// Without top-level `await`, because modules that the bundle places after this module wait for its end.
void run(ARGS).then((exitCode) => {
  const news = describeNewerVersion();
  if (news !== null && !ARGS.includes("--quiet")) writeError(news);
  // Waits until the pipe has taken the output. `process.exit` is needed, as kept-alive connections would delay the end.
  process.stdout.write("", () => process.exit(exitCode));
});

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- It ties the options to their command.
async function runCommand<Name extends CommandName>(name: Name, args: string[]): Promise<void> {
  const commands = await COMMANDS[name]();
  await commands[name](readOptions(name, args));
}

async function run([name = "--help", ...args]: string[]): Promise<ExitCode> {
  try {
    if (name === "--version") writeLines([CLI_VERSION]);
    else if (HELP_NAMES.has(name)) writeLines((await import("./help.ts")).HELP.split("\n"));
    else if (isCommand(name) && HELP_OPTIONS.some((option) => args.includes(option)))
      writeLines((await import("./help.ts")).helpOf(name).split("\n"));
    else if (isCommand(name)) await runCommand(name, args);
    else throw usage(`There is no command "${name}".`);
    return EXIT.done;
  } catch (error) {
    const { exitCode, message } = describeError(error);
    writeError(message);
    return exitCode;
  }
}
