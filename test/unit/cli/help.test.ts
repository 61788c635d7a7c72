import { expect, it } from "vitest";
import { HELP, helpOf } from "../../../cli/help.ts";

const COMMON = "\n\nAll commands take --json (the result as one object), --quiet and --help.";

it("a command's help has that command and its options, and nothing of the others", () => {
  expect(helpOf("get")).toBe(`  mayfly get LINK           save what is behind a link; needs no key

  --out DIR                 save into this folder instead of the current one
  --file N                  save file number N of the list alone; may be given several times
  --list                    show what is behind the link, and save nothing
  --wait MINUTES            while the upload is under way, wait so long for a sender who is silent: 30.
                            0 does not wait for what has not arrived
  --force                   replace files of the same name, instead of giving new ones a number
  --password-stdin          read the password from the first line of standard input${COMMON}`);
});

it("a command without options of its own has one line of help", () => {
  expect(helpOf("ls")).toBe(`  mayfly ls                 list what was sent${COMMON}`);
});

it("the program's help has all commands, all options and the exit codes", () => {
  for (const command of ["login", "send", "get", "ls", "info", "edit", "rm", "request", "whoami", "logout"] as const)
    for (const line of helpOf(command).split("\n")) expect(HELP.split("\n")).toContain(line);
  expect(HELP.split("\n").at(-1)).toBe("  130  interrupted");
});
