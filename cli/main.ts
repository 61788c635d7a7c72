import { CLI_VERSION, isNewerVersion, OLDEST_NODE } from "#domain/cli-package.ts";
import { describeError, EXIT, type ExitCode, interrupt } from "./failure.ts";
import { describeNewerVersion } from "./newer-version.ts";
import { isCommand, readOptions, usage, type CommandName } from "./options.ts";
import { writeError, writeLines } from "./terminal.ts";

/** Each command loads its own modules: Node would need most of a start to read all of them. */
const COMMANDS: Record<CommandName, (args: string[]) => Promise<void>> = {
  login: async (args) => (await import("./commands/account.ts")).login(readOptions("login", args)),
  logout: async (args) => (await import("./commands/account.ts")).logout(readOptions("logout", args)),
  whoami: async (args) => (await import("./commands/account.ts")).whoami(readOptions("whoami", args)),
  send: async (args) => {
    const options = readOptions("send", args);
    if (options.values["to-request"] === undefined) await (await import("./send/send.ts")).send(options);
    else await (await import("./send/send-to-request.ts")).sendToRequest(options);
  },
  get: async (args) => (await import("./get/get.ts")).get(readOptions("get", args)),
  ls: async (args) => (await import("./commands/sent.ts")).ls(readOptions("ls", args)),
  info: async (args) => (await import("./commands/sent.ts")).info(readOptions("info", args)),
  edit: async (args) => (await import("./commands/sent.ts")).edit(readOptions("edit", args)),
  rm: async (args) => (await import("./commands/sent.ts")).rm(readOptions("rm", args)),
  request: async (args) => (await import("./commands/request.ts")).request(readOptions("request", args)),
};
const HELP_NAMES = new Set(["--help", "-h", "help"]);

if (isNewerVersion(OLDEST_NODE, process.versions.node)) {
  console.error(`mayfly needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}.`);
  process.exit(EXIT.fault);
}

const ARGS = process.argv.slice(2);

process.once("SIGINT", () => interrupt(ARGS));
// Without `await`: modules that the bundle holds behind this one are only there once this one has ended.
void run(ARGS).then((exitCode) => {
  const news = describeNewerVersion();
  if (news !== null && !ARGS.includes("--quiet")) writeError(news);
  // A pipe takes what was written before it ends. Connections that are kept open would hold up the end.
  process.stdout.write("", () => process.exit(exitCode));
});

async function run([name = "--help", ...args]: string[]): Promise<ExitCode> {
  try {
    if (name === "--version") writeLines([CLI_VERSION]);
    else if (HELP_NAMES.has(name) || (isCommand(name) && args.includes("--help")))
      writeLines((await import("./help.ts")).HELP.split("\n"));
    else if (isCommand(name)) await COMMANDS[name](args);
    else throw usage(`There is no command "${name}".`);
    return EXIT.done;
  } catch (error) {
    const { exitCode, message } = describeError(error);
    writeError(message);
    return exitCode;
  }
}
