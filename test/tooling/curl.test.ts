import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postAsPage, START_TIMEOUT_MS, startWranglerDev, type WranglerDev } from "../support/wrangler-dev.ts";

let server: WranglerDev;
let folder: string;
let key: string;

beforeAll(async () => {
  server = await startWranglerDev();
  folder = mkdtempSync(join(tmpdir(), "mayfly-curl-"));
  const person = { email: "somebody@example.com", password: "a good password" };
  const registered = await postAsPage(server.origin, "/api/auth/register", person);
  const [cookie = ""] = registered.headers.getSetCookie()[0]?.split(";") ?? [];
  const request = { name: "curl", scopes: ["upload"], expiresIn: "7d" };
  ({ key } = (await (await postAsPage(server.origin, "/api/keys", request, cookie)).json()) as { key: string });
}, START_TIMEOUT_MS);

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Runs curl itself in the folder. @returns what it wrote to stdout */
function curl(args: string[], input?: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile("curl", ["-sS", ...args], { cwd: folder }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(stdout);
    });
    child.stdin?.end(input);
  });
}

/** A file of random bytes in the folder. @returns its SHA-256 in hex */
function writeRandom(name: string, size: number): string {
  const bytes = randomBytes(size);
  writeFileSync(join(folder, name), bytes);
  return sumOf(bytes);
}

function sumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const auth = () => ["-u", `:${key}`];

describe("curl", () => {
  it("sends a file under its own name, and gets it back under that name", async () => {
    const sum = writeRandom("a file, é.bin", 20_000_003);
    const output = await curl([...auth(), "-T", "a file, é.bin", `${server.origin}/`]);
    expect(output).toMatch(new RegExp(`^${server.origin}/download/[\\w-]{22}\n$`));
    rmSync(join(folder, "a file, é.bin"));
    const before = readdirSync(folder);
    await curl(["-OJL", output.trim()]);
    const [received = ""] = readdirSync(folder).filter((name) => !before.includes(name));
    expect(sumOf(readFileSync(join(folder, received)))).toBe(sum);
  }, 60_000);

  it("sends what it reads from a pipe", async () => {
    const bytes = randomBytes(9_000_000);
    const link = await curl([...auth(), "-T", "-", `${server.origin}/dump.sql?expires=1d`], bytes);
    const content = link.trim().replace("/download/", "/api/files/download/");
    expect(JSON.parse(await curl([content]))).toMatchObject({
      filename: "dump.sql",
      size: 9_000_000,
      sha256: sumOf(bytes),
    });
  }, 60_000);

  it("sends several files of a form as one link", async () => {
    writeRandom("one.txt", 5);
    writeRandom("two.txt", 6);
    const json = await curl([
      ...auth(),
      "-H",
      "Accept: application/json",
      "-F",
      "a=@one.txt",
      "-F",
      "b=@two.txt",
      `${server.origin}/`,
    ]);
    expect(JSON.parse(json)).toMatchObject({ entries: 2, size: 11, name: "one.txt.zip" });
  }, 60_000);

  it("opens a link with a password, and sees a download limit", async () => {
    writeRandom("secret.bin", 1000);
    const choices = ["-H", "Mayfly-Password: open sesame", "-H", "Max-Downloads: 1"];
    const link = (await curl([...auth(), ...choices, "-T", "secret.bin", `${server.origin}/`])).trim();
    expect(await curl([link])).toBe("This link is protected with a password. Send it with: curl -u :PASSWORD");
    await curl(["-L", "-u", ":open sesame", "-o", "opened.bin", link]);
    expect(sumOf(readFileSync(join(folder, "opened.bin")))).toBe(sumOf(readFileSync(join(folder, "secret.bin"))));
  }, 60_000);

  it("reads why it was refused without a key", async () => {
    writeRandom("small.txt", 5);
    const status = ["-w", "%{http_code}"];
    expect(await curl([...status, "-T", "small.txt", `${server.origin}/`])).toBe(
      `Send an API key: curl -T FILE -u :mayfly_… ${server.origin}/\nMake one on your account page: ${server.origin}/account401`,
    );
  }, 60_000);

  it("sends a file that is named like one of the site's", async () => {
    const sum = writeRandom("favicon.ico", 1000);
    const link = (await curl([...auth(), "-T", "favicon.ico", `${server.origin}/`])).trim();
    await curl(["-L", "-o", "received.ico", link]);
    expect(sumOf(readFileSync(join(folder, "received.ico")))).toBe(sum);
    await curl(["-o", "own.ico", `${server.origin}/favicon.ico`]);
    expect(readFileSync(join(folder, "own.ico"))).toEqual(readFileSync("public/favicon.ico"));
    expect(await curl([`${server.origin}/send.sh`])).toBe(readFileSync("public/send.sh", "utf8"));
  }, 60_000);

  it("deletes what it has sent", async () => {
    writeRandom("short.txt", 5);
    const head = await curl([...auth(), "-D", "-", "-o", "link.txt", "-T", "short.txt", `${server.origin}/`]);
    const [, address = ""] = /^x-url-delete: (\S+)/im.exec(head) ?? [];
    const link = readFileSync(join(folder, "link.txt"), "utf8").trim();
    expect(await curl(["-w", "%{http_code}", "-X", "DELETE", address])).toBe("204");
    expect(await curl(["-w", "%{http_code}", "-o", "nothing", link])).toBe("410");
  }, 60_000);
});
