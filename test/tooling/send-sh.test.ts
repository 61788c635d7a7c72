import { spawn } from "node:child_process";
import { once } from "node:events";
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** A server that speaks tus, and ends the connection each time that the upload reaches one of these sizes. */
class TusServer {
  readonly #hash = createHash("sha256");
  #length = 0;
  started: IncomingMessage["headers"] | null = null;
  /** How many bytes each PATCH announced. */
  readonly patches: number[] = [];
  cuts: number[] = [];
  /** Answers the next creation or PATCH instead. */
  refusal: { status: number; body: string } | null = null;
  readonly #server: Server = createServer((request, response) => {
    this.#answer(request, response);
  });

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** SHA-256 of all bytes, in hex. Ends the test's sending. */
  receivedSum(): string {
    return this.#hash.digest("hex");
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers["tus-resumable"] !== "1.0.0") response.writeHead(412).end();
    else if (this.refusal) response.writeHead(this.refusal.status).end(this.refusal.body);
    else if (request.method === "POST" && request.url === "/api/v1/tus") {
      this.started = request.headers;
      response.writeHead(201, {
        location: "/api/v1/tus/an-id/a-secret",
        "mayfly-link": "https://files.example/download/x",
      });
      response.end();
    } else if (request.url !== "/api/v1/tus/an-id/a-secret") response.writeHead(404).end();
    else if (request.method === "HEAD") response.writeHead(200, { "upload-offset": this.#length }).end();
    else this.#receive(request, response);
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    if (Number(request.headers["upload-offset"]) !== this.#length) {
      response.writeHead(409).end();
      return;
    }
    this.patches.push(Number(request.headers["content-length"]));
    request.on("data", (bytes: Uint8Array) => {
      const [cut = Infinity] = this.cuts;
      const kept = bytes.subarray(0, cut - this.#length);
      this.#hash.update(kept);
      this.#length += kept.length;
      if (this.#length < cut) return;
      this.cuts.shift();
      request.removeAllListeners("data");
      request.socket.destroy();
    });
    request.on("end", () => response.writeHead(204, { "upload-offset": this.#length }).end());
  }
}

let tus: TusServer;
let url: string;
let folder: string;

beforeEach(async () => {
  tus = new TusServer();
  url = await tus.listen();
  folder = mkdtempSync(join(tmpdir(), "mayfly-send-"));
});

afterEach(() => {
  tus.close();
  rmSync(folder, { recursive: true });
});

/** What `sh` is on Debian: it knows nothing that POSIX does not. */
const SHELL = "dash";

/** Runs the script in the folder. @param uid of another user, whom the system knows by number */
async function send(args: string[], env: Record<string, string> = {}, uid?: number) {
  const child = spawn(SHELL, [resolve("public/send.sh"), ...args], {
    cwd: folder,
    ...(uid !== undefined && { uid }),
    env: { PATH: process.env.PATH, MAYFLY_URL: `${url}/`, MAYFLY_KEY: "mayfly_key", ...env },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => (stdout += String(text)));
  child.stderr.on("data", (text) => (stderr += String(text)));
  const [code] = (await once(child, "close")) as [number];
  return { code, stdout, stderr };
}

function sumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function metadata(): Record<string, string> {
  const pairs = String(tus.started?.["upload-metadata"]).split(",");
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = "", value = ""] = pair.split(" ");
      return [name, new TextDecoder().decode(Uint8Array.from(atob(value), (character) => character.charCodeAt(0)))];
    }),
  );
}

describe("send.sh", () => {
  it("sends a file in requests of 16 MiB, and prints the link alone", async () => {
    const bytes = randomBytes(40_000_000);
    writeFileSync(join(folder, "a file é.bin"), bytes);
    const { code, stdout, stderr } = await send(["a file é.bin"], { MAYFLY_EXPIRES: "1d" });
    expect([code, stdout]).toEqual([0, "https://files.example/download/x\n"]);
    expect(stderr).toMatch(/41 %\r83 %\r100 %/);
    expect(tus.receivedSum()).toBe(sumOf(bytes));
    expect(tus.patches).toEqual([16_777_216, 16_777_216, 6_445_568]);
    expect(tus.started).toMatchObject({ "upload-length": "40000000", authorization: "Bearer mayfly_key" });
    expect(metadata()).toEqual({ filename: "a file é.bin", expires: "1d" });
  }, 60_000);

  it("goes on where the line was cut [SEND-11]", async () => {
    const bytes = randomBytes(20_000_000);
    writeFileSync(join(folder, "a.bin"), bytes);
    tus.cuts = [1, 65_000, 16_777_217];
    const { code } = await send(["a.bin", "another name.bin"]);
    expect([code, tus.receivedSum(), tus.cuts]).toEqual([0, sumOf(bytes), []]);
    expect(metadata()).toEqual({ filename: "another name.bin" });
  }, 60_000);

  it("sends an empty file", async () => {
    writeFileSync(join(folder, "empty"), "");
    const { code, stdout } = await send(["empty"]);
    expect([code, stdout, tus.patches]).toEqual([0, "https://files.example/download/x\n", []]);
    expect(tus.started?.["upload-length"]).toBe("0");
  });

  it("says why it was refused", async () => {
    writeFileSync(join(folder, "a.txt"), "hello");
    tus.refusal = { status: 401, body: '{"code":"KEY_INVALID","message":"This API key is unknown."}' };
    expect(await send(["a.txt"])).toEqual({ code: 1, stdout: "", stderr: "send.sh: This API key is unknown.\n" });
    tus.refusal = { status: 502, body: "The site is being repaired." };
    expect(await send(["a.txt"])).toEqual({ code: 1, stdout: "", stderr: "send.sh: The site is being repaired.\n" });
    tus.refusal = { status: 503, body: "" };
    expect(await send(["a.txt"])).toEqual({ code: 1, stdout: "", stderr: "send.sh: The site answered 503.\n" });
  });

  it("says that a file may not be read [SEND-11]", async () => {
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, "secret.txt"), "hello", { mode: 0o000 });
    // The superuser reads everything.
    const user = process.getuid?.() === 0 ? 65_534 : undefined;
    const { code, stderr } = await send(["secret.txt"], {}, user);
    expect([code, stderr]).toEqual([1, "send.sh: You may not read the file secret.txt.\n"]);
  });

  it("sends a file whose name looks like an option", async () => {
    writeFileSync(join(folder, "-n.txt"), "hello");
    const { code } = await send(["-n.txt"]);
    expect([code, tus.receivedSum(), metadata()]).toEqual([
      0,
      sumOf(new TextEncoder().encode("hello")),
      { filename: "-n.txt" },
    ]);
  });

  it.each([
    [[], {}, /Usage: sh send\.sh FILE/],
    [["a.txt"], { MAYFLY_URL: "" }, /Set MAYFLY_URL/],
    [["a.txt"], { MAYFLY_KEY: "" }, /Set MAYFLY_KEY/],
    [["a.txt"], {}, /There is no file a\.txt\./],
  ] as [string[], Record<string, string>, RegExp][])("says what is missing: %j %j", async (args, env, words) => {
    const { code, stdout, stderr } = await send(args, env);
    expect(code).toBeGreaterThan(0);
    expect(stdout).toBe("");
    expect(stderr).toMatch(words);
  });
});
