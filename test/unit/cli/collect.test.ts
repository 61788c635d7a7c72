import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";

/** Root reads everything, unless it gives up the right to. */
const RIGHTS = "-dac_override,-dac_read_search";
const AS_SOMEBODY =
  process.getuid?.() === 0 ? (["setpriv", "--inh-caps", RIGHTS, "--bounding-set", RIGHTS] as const) : [];

/** Looks at each list of paths: what is sent, and what is said. */
const SCRIPT = `
  import { collect } from ${JSON.stringify(resolve("cli/send/collect.ts"))};
  const found = [];
  for (const paths of JSON.parse(process.argv[1])) {
    const notes = [];
    const { items = null, message } = await collect(paths, { note: (text) => notes.push(text) }).catch((error) => error);
    found.push({ items: items?.map(({ path }) => path).sort() ?? null, said: message === undefined ? notes : message });
  }
  console.log(JSON.stringify(found));
`;

interface Found {
  /** Null for paths that are refused. */
  items: string[] | null;
  said: string | string[];
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mayfly-collect-"));
});
afterEach(() => {
  execFileSync("chmod", ["-R", "u+rwx", folder]);
  rmSync(folder, { recursive: true });
});

async function look(...lists: string[][]): Promise<Found[]> {
  const [program, ...args] = [...AS_SOMEBODY, process.execPath, "--input-type=module", "-e", SCRIPT] as const;
  const { stdout } = await promisify(execFile)(program, [...args, JSON.stringify(lists)], { cwd: folder });
  return JSON.parse(stdout) as Found[];
}

function write(path: string, mode = 0o600): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), "bytes");
  chmodSync(join(folder, path), mode);
}

/** Makes a file or a folder whose name has bytes that are no UTF-8. @param path with octal escapes, as printf reads them */
function makeMisnamed(program: "touch" | "mkdir", path: string): void {
  execFileSync("sh", ["-c", `${program} "$(printf '${path}')"`], { cwd: folder });
}

async function listenAt(path: string): Promise<void> {
  const server = createServer();
  server.listen(join(folder, path));
  await once(server, "listening");
  server.unref();
}

it("sends what can be read of a folder, and counts all other things in words [CLI-23]", async () => {
  write("photos/sea.jpg");
  write("photos/deep/hill.jpg");
  write("photos/secret.txt", 0);
  write("photos/deep/own.txt", 0);
  write("photos/locked/inside.txt");
  write("photos/unlisted/inside.txt");
  chmodSync(join(folder, "photos/locked"), 0);
  chmodSync(join(folder, "photos/unlisted"), 0o600);
  symlinkSync("sea.jpg", join(folder, "photos/link.jpg"));
  symlinkSync("../photos", join(folder, "photos/loop"));
  symlinkSync("self", join(folder, "photos/self"));
  symlinkSync("nowhere", join(folder, "photos/broken"));
  execFileSync("mkfifo", [join(folder, "photos/pipe")]);
  await listenAt("photos/socket");
  makeMisnamed("touch", String.raw`photos/caf\351.txt`);
  makeMisnamed("mkdir", String.raw`photos/d\351p\364t`);
  expect(await look(["photos"])).toEqual([
    {
      items: ["photos/deep/hill.jpg", "photos/sea.jpg", "photos/unlisted"],
      said: [
        'Symbolic links, devices and pipes are not sent: 6. The first is "photos/broken".',
        'Files and folders that cannot be read are not sent: 4. The first is "photos/deep/own.txt".',
        'Files and folders whose names are no UTF-8 are not sent: 2. The first is "photos/caf\uFFFD.txt".',
      ],
    },
  ]);
});

it("does not count what .mayflyignore leaves out", async () => {
  write("photos/sea.jpg");
  write("photos/secret.key", 0);
  makeMisnamed("touch", String.raw`photos/caf\351.key`);
  writeFileSync(join(folder, "photos/.mayflyignore"), "*.key\n");
  expect(await look(["photos"])).toEqual([{ items: ["photos/sea.jpg"], said: [] }]);
});

it("refuses a path that it is given and cannot send [CLI-23]", async () => {
  write("secret.txt", 0);
  write("locked/inside.txt");
  chmodSync(join(folder, "locked"), 0);
  write("ruled/.mayflyignore", 0);
  write("a.txt");
  symlinkSync("self", join(folder, "self"));
  symlinkSync("a.txt", join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  makeMisnamed("touch", String.raw`caf\351.txt`);
  const refused = {
    "secret.txt": '"secret.txt" cannot be read: permission denied.',
    locked: '"locked" cannot be read: permission denied.',
    "locked/inside.txt": '"locked/inside.txt" cannot be read: permission denied.',
    ruled: '"ruled/.mayflyignore" cannot be read: permission denied.',
    "self/inside": '"self/inside" cannot be read: too many symbolic links encountered.',
    "a.txt/inside": 'There is no "a.txt/inside".',
    missing: 'There is no "missing".',
    link: '"link" is a symbolic link, and those are not followed.',
    pipe: '"pipe" is no file and no folder.',
    "/dev/null": '"/dev/null" is no file and no folder.',
    "caf\uFFFD.txt": 'The name "caf\uFFFD.txt" is no UTF-8: give it another one.',
  };
  const found = await look(...Object.keys(refused).map((path) => ["a.txt", path]));
  expect(found).toEqual(Object.values(refused).map((said) => ({ items: null, said })));
});
