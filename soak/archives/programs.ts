import { spawnSync } from "node:child_process";

/** A program that reads ZIPs, if it is installed. */
export interface Program {
  name: string;
  /** Commands of which the first one that exists is taken. */
  commands: string[];
  version: string[];
  /** Arguments that read the whole archive and check it. */
  test: (archive: string) => string[];
  /** Arguments that extract into a folder and set the files' dates. */
  extract?: (archive: string, folder: string) => string[];
  /** Arguments that print a Unix second, a space and the path for each entry. */
  list?: (archive: string) => string[];
}

const JAVA = ["-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "soak/archives/ReadZip.java"];

const TEST_IN_PYTHON = "import sys, zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip())";

export const PROGRAMS: Program[] = [
  {
    name: "unzip",
    commands: ["unzip"],
    version: ["-v"],
    test: (archive) => ["-tqq", archive],
    extract: (archive, folder) => ["-qq", archive, "-d", folder],
  },
  {
    name: "bsdtar",
    commands: ["bsdtar"],
    version: ["--version"],
    test: (archive) => ["-xOf", archive],
    extract: (archive, folder) => ["-xf", archive, "-C", folder],
  },
  {
    name: "7-Zip",
    commands: ["7zz", "7z"],
    version: ["i"],
    test: (archive) => ["t", archive],
    extract: (archive, folder) => ["x", `-o${folder}`, archive],
  },
  {
    name: "Python",
    commands: ["python3"],
    version: ["--version"],
    test: (archive) => ["-c", TEST_IN_PYTHON, archive],
  },
  {
    name: "Java",
    commands: ["java"],
    version: ["--version"],
    test: (archive) => [...JAVA, archive],
    list: (archive) => [...JAVA, archive],
  },
];

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface Run {
  ok: boolean;
  stdout: string;
  /** The exit code and the program's complaints. */
  fault: string;
}

/** Runs a program. @param timeZone such as "Asia/Tokyo" @param needsOutput false throws away the program's output */
export function run(command: string, options: string[], timeZone = "UTC", needsOutput = true): Run {
  const { status, error, output, stderr } = spawnSync(command, options, {
    env: { ...process.env, TZ: timeZone, LC_ALL: "C.UTF-8" },
    stdio: ["ignore", needsOutput ? "pipe" : "ignore", "pipe"],
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: "utf8",
  });
  return {
    ok: status === 0,
    stdout: output?.[1] ?? "",
    fault: error?.message ?? `exit code ${status}: ${stderr.slice(0, 500)}`,
  };
}

/** The command that exists, and its version; null if no command exists. */
export function findProgram({ commands, version }: Program): { command: string; version: string } | null {
  for (const command of commands) {
    const { ok, stdout } = run(command, version);
    const line = stdout.split("\n").find((line) => line.trim() !== "");
    if (ok && line !== undefined) return { command, version: line.trim() };
  }
  return null;
}
