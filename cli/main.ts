import { logout, whoami } from "./commands/account.ts";
import { login } from "./commands/login.ts";
import { edit, info, ls, rm } from "./commands/sent.ts";
import { describeError, EXIT, type ExitCode } from "./failure.ts";
import { get } from "./get/get.ts";
import { HELP, isCommand, readOptions, usage, type CommandName } from "./options.ts";
import { send } from "./send/send.ts";
import { writeResult } from "./terminal.ts";
import { VERSION } from "./version.ts";
import { shown } from "../opener/show.ts";

const COMMANDS: Record<CommandName, (args: string[]) => Promise<void>> = {
  login: (args) => login(readOptions("login", args)),
  logout: (args) => logout(readOptions("logout", args)),
  whoami: (args) => whoami(readOptions("whoami", args)),
  send: (args) => send(readOptions("send", args)),
  get: (args) => get(readOptions("get", args)),
  ls: (args) => ls(readOptions("ls", args)),
  info: (args) => info(readOptions("info", args)),
  edit: (args) => edit(readOptions("edit", args)),
  rm: (args) => rm(readOptions("rm", args)),
};
const HELP_NAMES = new Set(["--help", "-h", "help"]);

process.once("SIGINT", () => {
  console.error("\nInterrupted. The same command goes on.");
  process.exit(EXIT.interrupted);
});
// Without `await`: modules that the bundle holds behind this one are only there once this one has ended.
void run(process.argv.slice(2)).then((exitCode) => {
  // A pipe takes what was written before it ends. Connections that are kept open would hold up the end.
  process.stdout.write("", () => process.exit(exitCode));
});

async function run([name = "--help", ...args]: string[]): Promise<ExitCode> {
  try {
    if (name === "--version") writeResult(VERSION);
    else if (HELP_NAMES.has(name) || (isCommand(name) && args.includes("--help"))) writeResult(HELP);
    else if (isCommand(name)) await COMMANDS[name](args);
    else throw usage(`There is no command "${name}".`);
    return EXIT.done;
  } catch (error) {
    const { exitCode, message } = describeError(error);
    console.error(shown(message));
    return exitCode;
  }
}
