// @module-tag long
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharexConfig } from "#domain/key-examples.ts";
import { startProgramSite, sumOf, type ProgramSite } from "../support/programs/program-site.ts";
import { readSharex } from "../support/programs/sharex.ts";
import { START_TIMEOUT_MS } from "../support/wrangler-dev.ts";

let site: ProgramSite;

beforeAll(async () => {
  site = await startProgramSite();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await site.stop();
});

/** Runs curl itself. @returns what it wrote to stdout @throws Error with its words when it fails */
async function curl(args: string[], input?: Uint8Array): Promise<string> {
  const { code, out, error } = await site.run("curl", ["-sS", ...args], { input });
  if (code !== 0) throw new Error(`curl ended with ${String(code)}: ${error}`);
  return out;
}

const auth = () => ["-u", `:${site.account.key}`];
const top = () => `${site.origin}/`;
const saved = (name: string) => readFileSync(join(site.folder, name));

/** @returns the link, which is all that curl printed */
async function send(args: string[], input?: Uint8Array): Promise<string> {
  const output = await curl([...auth(), ...args], input);
  expect(output).toMatch(new RegExp(`^${site.origin}/download/[\\w-]{22}\n$`));
  return output.trim();
}

/** What v1 says about a link. */
async function about(link: string): Promise<unknown> {
  return JSON.parse(await curl([link.replace("/download/", "/api/files/download/")]));
}

/** Fetches a link as its address says. @returns the name that curl gave the file, and its SHA-256 */
async function fetchByName(args: string[]): Promise<[name: string, sum: string]> {
  const before = readdirSync(site.folder);
  await curl(["-OJL", ...args]);
  const [received = "", ...others] = readdirSync(site.folder).filter((name) => !before.includes(name));
  expect(others).toEqual([]);
  const sum = sumOf(saved(received));
  rmSync(join(site.folder, received));
  return [received, sum];
}

describe("curl sends", () => {
  it("a file under its own name, which gets that name again [SEND-1]", async () => {
    const sum = site.writeRandom("a file, with spaces.bin", 20_000_003);
    const link = await send(["-T", "a file, with spaces.bin", top()]);
    rmSync(join(site.folder, "a file, with spaces.bin"));
    expect(await fetchByName([link])).toEqual(["a file, with spaces.bin", sum]);
  }, 60_000);

  it("a file with umlauts in its name, and an empty one [SEND-1]", async () => {
    site.writeRandom("Übergröße é.bin", 5);
    expect(await about(await send(["-T", "Übergröße é.bin", top()]))).toMatchObject({
      filename: "Übergröße é.bin",
      size: 5,
    });
    site.writeRandom("empty.txt", 0);
    expect(await about(await send(["-T", "empty.txt", top()]))).toMatchObject({ filename: "empty.txt", size: 0 });
  }, 60_000);

  it("what it reads from a pipe [SEND-2]", async () => {
    const bytes = randomBytes(9_000_000);
    const link = await send(["-T", "-", `${top()}dump.sql?expires=1d`], bytes);
    expect(await about(link)).toMatchObject({ filename: "dump.sql", size: 9_000_000, sha256: sumOf(bytes) });
    const named = await send(["-T", "-", "-H", "Mayfly-Name: añejo.sql", top()], new Uint8Array(3));
    expect(await about(named)).toMatchObject({ filename: "añejo.sql", size: 3 });
  }, 60_000);

  it("one file of a form as a file, and several as one link [SEND-3]", async () => {
    const sum = site.writeRandom("one file.txt", 5);
    site.writeRandom("two.txt", 6);
    expect(await about(await send(["-F", "a=@one file.txt", top()]))).toMatchObject({
      filename: "one file.txt",
      sha256: sum,
    });
    const json = ["-H", "Accept: application/json"];
    const answer = await curl([...auth(), ...json, "-F", "a=@one file.txt", "-F", "b=@two.txt", top()]);
    expect(JSON.parse(answer)).toMatchObject({ entries: 2, size: 11, name: "one file.txt.zip" });
  }, 60_000);

  it("names that not every system can hold, and equal ones", async () => {
    for (const name of ["Screenshot 10:30:12.png", 'with "quotes".txt']) site.writeRandom(name, 5);
    const files = ["Screenshot 10:30:12.png", "Screenshot 10:30:12.png", 'with "quotes".txt'];
    const form = files.flatMap((name) => ["-F", `f=@"${name.replaceAll('"', '\\"')}"`]);
    const link = await send([...form, top()]);
    const entries = await curl([`${link.replace("/download/", "/api/files/download/")}/entries`]);
    const listed = JSON.parse(entries) as { entries: { path: string }[] };
    expect(listed.entries.map(({ path }) => path)).toEqual([
      "Screenshot 10_30_12.png",
      "Screenshot 10_30_12 (2).png",
      "with _quotes_.txt",
    ]);
    const [, quoted = ""] = form.slice(-2);
    expect(await about(await send(["-F", quoted, top()]))).toMatchObject({ filename: 'with "quotes".txt' });
  }, 60_000);

  it("with its key in a header, or in .netrc [SEND-4]", async () => {
    site.writeRandom("small.txt", 5);
    const bearer = ["-H", `Authorization: Bearer ${site.account.key}`];
    expect(await curl([...bearer, "-T", "small.txt", top()])).toContain("/download/");
    const netrc = `machine 127.0.0.1 login me password ${site.account.key}\n`;
    writeFileSync(join(site.folder, ".netrc"), netrc, { mode: 0o600 });
    expect(await curl(["-n", "-T", "small.txt", top()])).toContain("/download/");
  }, 60_000);

  it.each(["favicon.ico", "cli", "_headers", "login"])(
    "a file that is named like something of the site: %s [SEND-5]",
    async (name) => {
      const sum = site.writeRandom(name, 1000);
      const link = await send(["-T", name, top()]);
      rmSync(join(site.folder, name));
      expect(await fetchByName([link])).toEqual([name, sum]);
    },
    60_000,
  );
});

describe("curl gets", () => {
  it("what the site has at the top [SEND-5]", async () => {
    await curl(["-o", "own.ico", `${top()}favicon.ico`]);
    expect(saved("own.ico")).toEqual(readFileSync("public/favicon.ico"));
    expect(await curl([`${top()}send.sh`])).toBe(readFileSync("public/send.sh", "utf8"));
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    const redirect = ["-o", "nothing", "-w", "%{http_code} %{redirect_url}", `${top()}cli`];
    expect(await curl(redirect)).toBe(`302 ${top()}cli/mayfly-${version}.tgz`);
    expect(await curl(["-o", "nothing", "-w", "%{http_code}", `${top()}_headers`])).toBe("404");
  }, 60_000);

  it("a file with a password, and hears that it needs one [SEND-6]", async () => {
    const sum = site.writeRandom("secret.bin", 1000);
    const link = await send(["-H", "Mayfly-Password: open sesame", "-T", "secret.bin", top()]);
    rmSync(join(site.folder, "secret.bin"));
    expect(await curl(["-w", " %{http_code}", link])).toBe(
      "This link is protected with a password. Send it with: curl -u :PASSWORD 401",
    );
    expect(await fetchByName(["-u", ":open sesame", link])).toEqual(["secret.bin", sum]);
  }, 60_000);

  it("a file as often as it may be downloaded, also one with a password [SEND-6]", async () => {
    const sum = site.writeRandom("twice.bin", 1000);
    const link = await send(["-H", "Max-Downloads: 2", "-H", "Mayfly-Password: open sesame", "-T", "twice.bin", top()]);
    rmSync(join(site.folder, "twice.bin"));
    expect(await fetchByName(["-u", ":open sesame", link])).toEqual(["twice.bin", sum]);
    expect(await fetchByName(["-u", ":open sesame", link])).toEqual(["twice.bin", sum]);
    expect(await curl(["-L", "-u", ":open sesame", "-w", " %{http_code}", link])).toBe("This link has expired. 410");
  }, 60_000);

  it("no encrypted file: only the command line and the page can open one [SEND-6]", async () => {
    site.writeRandom("sealed.bin", 1000);
    const env = { MAYFLY_URL: site.origin, MAYFLY_KEY: site.account.key };
    const program = [resolve("build/cli/mayfly.js"), "send", "--encrypt", "sealed.bin"];
    const { code, out } = await site.run(process.execPath, program, { env });
    expect(code).toBe(0);
    expect(await curl(["-L", "-w", " %{http_code}", out.trim()])).toMatch(/encrypted.* 409$/s);
  }, 60_000);

  it("a page that deletes what was sent, which DELETE does at once [SEND-7]", async () => {
    site.writeRandom("short.txt", 5);
    const head = await curl([...auth(), "-D", "-", "-o", "link.txt", "-T", "short.txt", top()]);
    const [, address = ""] = /^x-url-delete: (\S+)/im.exec(head) ?? [];
    const link = saved("link.txt").toString().trim();
    const page = await curl([address]);
    expect(page).toContain("<form");
    expect(page).toContain("short.txt");
    expect(await about(link)).toMatchObject({ status: "ready" });
    expect(await curl(["-w", "%{http_code}", "-X", "DELETE", address])).toBe("204");
    expect(await curl(["-w", "%{http_code}", "-o", "nothing", link])).toBe("410");
  }, 60_000);
});

describe("curl hears why it was refused,", () => {
  /** A few MB are on their way when the words arrive. A server that reads everything takes all of them. */
  const ON_THE_WAY_BYTES = 32_000_000;

  beforeAll(async () => {
    // What was sent before would have used up the month.
    await site.server.execute("update users set monthly_transfer_count = 0");
    writeFileSync(join(site.folder, "large.bin"), new Uint8Array(100_000_001));
    writeFileSync(join(site.folder, "small.txt"), "hello");
  });

  async function refusal(args: string[], address = top()): Promise<{ words: string; sentBytes: number }> {
    site.line.sentBytes = 0;
    const words = await curl(["-w", " %{http_code}", ...args, address]);
    return { words, sentBytes: site.line.sentBytes };
  }

  it.each([
    ["and waits for 100 Continue", []],
    ["and sends at once", ["-H", "Expect:"]],
  ])(
    "with a file above 100 MB, %s [SEND-8]",
    async (_, headers) => {
      for (let turn = 0; turn < 3; turn += 1) {
        const { words, sentBytes } = await refusal([...auth(), ...headers, "-T", "large.bin"]);
        expect(words).toBe(
          `A request carries at most 100 MB here. Send larger files with send.sh: ${site.origin}/send.sh 413`,
        );
        expect(sentBytes).toBeLessThan(ON_THE_WAY_BYTES);
      }
    },
    60_000,
  );

  it("without a key, with a wrong one, and with an expiry that the plan lacks [SEND-8]", async () => {
    const large = ["-T", "large.bin"];
    const without = await refusal(large);
    expect(without.words).toBe(
      `Send an API key: curl -T FILE -u :mayfly_… ${site.origin}/\nMake one on your account page: ${site.origin}/account 401`,
    );
    const wrong = await refusal(["-u", ":mayfly_wrong", ...large]);
    expect(wrong.words).toBe(
      "This API key is unknown, has run out or was revoked. Make another one on your account page. 401",
    );
    const long = await refusal([...auth(), "-H", "Mayfly-Expires: 7d", ...large]);
    expect(long.words).toMatch(/ 413$/);
    for (const { sentBytes } of [without, wrong, long]) expect(sentBytes).toBeLessThan(ON_THE_WAY_BYTES);
    const small = await refusal([...auth(), "-H", "Mayfly-Expires: 7d", "-T", "small.txt"]);
    expect(small.words).toMatch(/plan.* 403$/);
  }, 60_000);

  it("with a stream above 100 MB, once it is that long [SEND-8]", async () => {
    const words = await curl(
      [...auth(), "-w", " %{http_code}", "-T", "-", `${top()}a.bin`],
      new Uint8Array(150_000_000),
    );
    expect(words).toBe(
      `A request carries at most 100 MB here. Send larger files with send.sh: ${site.origin}/send.sh 413`,
    );
  }, 120_000);

  it.each([
    ["Origin: https://other.example", "a page"],
    ["Sec-Fetch-Site: none", "a browser"],
  ])(
    "in the name of %s [SEND-9]",
    async (header) => {
      const words = "This address is for programs. Pages send files with the calls of /api. 403";
      expect((await refusal([...auth(), "-H", header, "-T", "large.bin"])).words).toBe(words);
      expect((await refusal([...auth(), "-H", header, "-F", "a=@small.txt"])).words).toBe(words);
    },
    60_000,
  );

  /** What `PATCH` at another offset needs. */
  async function beginTus(): Promise<string> {
    const headers = ["Tus-Resumable: 1.0.0", "Upload-Length: 200000000", "Upload-Metadata: filename YQ=="];
    const authorization = `Authorization: Bearer ${site.account.key}`;
    const args = [authorization, ...headers].flatMap((header) => ["-H", header]);
    const head = await curl(["-D", "-", "-X", "POST", ...args, `${top()}api/v1/tus`]);
    return /^location: (\S+)/im.exec(head)?.[1] ?? "";
  }

  it.each([
    ["a call of v1 without a key", 401, "KEY_MISSING", ["-H", "Content-Type: application/json"], "uploads"],
    ["a call that v1 does not have", 404, "NOT_FOUND", [], "nothing"],
    ["a start of another tus", 412, "TUS_VERSION_UNKNOWN", ["-H", "Tus-Resumable: 0.2.2"], "tus"],
    ["a start of tus without a key", 401, "KEY_MISSING", ["-H", "Tus-Resumable: 1.0.0"], "tus"],
  ])(
    "with 100 MB for %s",
    async (_, status, code, headers, path) => {
      const args = ["-H", "Expect:", ...headers, "-X", "POST", "-T", "large.bin"];
      const { words, sentBytes } = await refusal(args, `${top()}api/v1/${path}`);
      expect(words).toMatch(new RegExp(`"code":"${code}"} ${status}$`));
      expect(sentBytes).toBeLessThan(ON_THE_WAY_BYTES);
    },
    60_000,
  );

  it("with 100 MB that do not come next in an upload with tus", async () => {
    writeFileSync(join(site.folder, "rest.bin"), new Uint8Array(99_000_000));
    const headers = [
      "Expect:",
      "Tus-Resumable: 1.0.0",
      "Upload-Offset: 7",
      "Content-Type: application/offset+octet-stream",
    ];
    const args = [...headers.flatMap((header) => ["-H", header]), "-X", "PATCH", "-T", "rest.bin"];
    const address = await beginTus();
    for (let turn = 0; turn < 3; turn += 1) {
      const { words, sentBytes } = await refusal(args, address);
      expect(words).toMatch(/"code":"OFFSET_CONFLICT"} 409$/);
      expect(sentBytes).toBeLessThan(ON_THE_WAY_BYTES);
    }
  }, 60_000);

  it("with the rest of a file, or with an encoding", async () => {
    expect((await refusal([...auth(), "-C", "3", "-T", "small.txt"])).words).toBe(
      "Content-Range says that this is a part of a file. Send the whole file, or send it with tus, which goes on after a break. 400",
    );
    expect((await refusal([...auth(), "-H", "Content-Encoding: gzip", "-T", "small.txt"])).words).toBe(
      "Content-Encoding is not decoded here: files are stored as they come. Send the bytes without it. 415",
    );
    expect((await refusal([...auth(), "-F", "a=@small.txt;encoder=base64"])).words).toBe(
      "Content-Transfer-Encoding is not decoded here. Send the bytes of the file without it. 415",
    );
  }, 60_000);

  it("with a pipe and no name", async () => {
    const { words } = await refusal([...auth(), "-T", "-"]);
    expect(words).toMatch(/name.* 400$/i);
  });
});

describe("ShareX", () => {
  it("sends what its configuration says, and opens what comes back [SEND-12]", async () => {
    const upload = readSharex(sharexConfig(site.origin, site.account.key), "Screen shot.png");
    const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
    const response = await fetch(upload.url, { method: upload.method, headers: { ...upload.headers }, body: picture });
    const { link, deletion } = upload.read(await response.text(), response.headers);
    expect(await about(link.trim())).toMatchObject({ filename: "Screen shot.png", size: 4 });
    const page = await fetch(deletion, { headers: { accept: "text/html" } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Screen shot.png")]);
  }, 60_000);

  it("shows the words of a refusal", async () => {
    const upload = readSharex(sharexConfig(site.origin, "mayfly_wrong"), "a.png");
    const response = await fetch(upload.url, { method: upload.method, headers: { ...upload.headers }, body: "a" });
    expect(upload.read(await response.text(), response.headers).link).toBe(
      "This API key is unknown, has run out or was revoked. Make another one on your account page.",
    );
  });
});
