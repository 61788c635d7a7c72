import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ScanState } from "#domain/moderation/scan.ts";
import { MINUTE_MS } from "#domain/units.ts";
import type { DownloadInfo, Health } from "#domain/wire.ts";
import { checkHealth } from "#worker/diagnostics/health.ts";
import { scanBytes } from "#worker/moderation/scanner.ts";
import { watchScan } from "#worker/moderation/watch-scan.ts";
import { watchScans } from "#worker/moderation/scan-link.ts";
import { readSettings } from "#worker/settings.ts";
import { FOUND_IN, MAX_STREAM_BYTES, MOODS } from "../support/clamd-double/double.ts";
import { mailsTo } from "../support/mails.ts";
import { clamd, httpScanner, scannedEnv, scanners, type ScannedEnv } from "../support/scanned-env.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import { EACH_WAY, newestFile, newUploader, type Uploader } from "../support/ways-to-upload.ts";
import { answerOf, Client, contentPath, logInAdmin, patternBytes, runSql, sendFile } from "../support/worker.ts";
import { workerWith } from "../support/worker-with-env.ts";

interface FileRow {
  id: string;
  downloadId: string;
  state: ScanState | null;
  requestId: string | null;
}
const COLUMNS = "id, download_id as downloadId, scan_state as state, request_id as requestId";

const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text));
const bad = () => bytesOf(`${crypto.randomUUID()} ${FOUND_IN} ${crypto.randomUUID()}`);
const good = () => bytesOf(crypto.randomUUID());

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += 100_000) {
    yield await Promise.resolve(bytes.subarray(at, at + 100_000));
  }
}

let scanned: ScannedEnv;
let uploader: Uploader;
let stranger: Client;

async function use(environment: ScannedEnv): Promise<void> {
  scanned = environment;
  const send = workerWith(scanned.env);
  uploader = await newUploader(send);
  stranger = new Client("", send);
}

const info = async (downloadId: string, by = stranger) =>
  (await answerOf(by.fetch(`/api/files/download/${downloadId}`))) as unknown as [
    number,
    DownloadInfo & { code?: string },
  ];

const casesOf = async (fileId: string) =>
  (await env.DB.prepare("select detail from cases where kind = 'scan' and file_id = ?").bind(fileId).all()).results;

beforeEach(() => runSql("delete from scanner_outages"));

describe("a scanner", () => {
  const scan = (scanner: string, bytes: Uint8Array) => {
    const settings = readSettings({ ...env, SCAN: "after", SCANNER: scanner, SCANNER_KEY: "the scanner's key" });
    if (!settings.scan) throw new Error("no scanner");
    return scanBytes(settings.scan.scanner, { bytes: inPieces(bytes), sizeBytes: bytes.byteLength });
  };

  // `npm run soak -- scan` names a real clamd, which adds "UNOFFICIAL" to the names of signatures that are not its own.
  it.each([
    ["clamd's protocol", env.CLAMD || clamd("well")],
    ["HTTP", httpScanner("well")],
  ])("by %s says of each file what is in it [SCAN-1]", async (_, scanner) => {
    const found = { kind: "infected", name: expect.stringMatching(/^Mayfly\.Test(\.UNOFFICIAL)?$/) as string };
    expect(await scan(scanner, good())).toEqual({ kind: "clean" });
    expect(await scan(scanner, new Uint8Array())).toEqual({ kind: "clean" });
    expect(await scan(scanner, bad())).toEqual(found);
    const large = patternBytes(3_000_000);
    expect(await scan(scanner, large)).toEqual({ kind: "clean" });
    large.set(bad(), 2_900_000);
    expect(await scan(scanner, large)).toEqual(found);
    expect(await scan(scanner, patternBytes(MAX_STREAM_BYTES + 1_000_000))).toEqual({ kind: "too-large" });
  });

  it.each(
    MOODS.filter((mood) => mood !== "well").flatMap((mood) =>
      [clamd(mood), httpScanner(mood)].map((at) => [mood, at] as const),
    ),
  )("that is %s is no answer (%s) [SCAN-2]", async (_mood, scanner) => {
    await expect(scan(scanner, patternBytes(2_000_000))).rejects.toThrow();
  });

  it("that does not listen is no answer [SCAN-2]", async () => {
    await expect(scan(`clamd://127.0.0.1:${scanners.nobody}`, good())).rejects.toThrow();
    await expect(scan(`http://127.0.0.1:${scanners.nobody}/`, good())).rejects.toThrow();
  });

  it.each([
    "",
    "clamd://",
    "ftp://scanner",
    "clamd://host/path",
    "https://user:password@scanner.example/",
    "scanner:3310",
  ])("cannot be %j", (scanner) => {
    expect(() => readSettings({ ...env, SCAN: "before", SCANNER: scanner })).toThrow(/^SCANNER must be clamd:/);
  });

  it.each([
    ["clamd://scanner.example", { kind: "clamd", hostname: "scanner.example", port: 3310, isEncrypted: false }],
    ["clamds://scanner.example:443", { kind: "clamd", hostname: "scanner.example", port: 443, isEncrypted: true }],
    ["https://scanner.example/v1?x=1", { kind: "http", url: "https://scanner.example/v1?x=1", key: "" }],
  ])("can be %s", (scanner, expected) => {
    expect(readSettings({ ...env, SCAN: "before", SCANNER: scanner }).scan?.scanner).toEqual(expected);
  });
});

describe.each(["after", "before"] as const)("with SCAN=%s", (mode) => {
  beforeEach(() => use(scannedEnv(mode)));

  it.each(EACH_WAY)("what comes by %s waits for the scanner, and is checked [SCAN-3]", async (_way, send) => {
    expect((await send(uploader, good(), "a.txt")).status).toBeLessThan(300);
    const waits = await newestFile<FileRow>(uploader, COLUMNS);
    expect(waits.state).toBe("pending");
    expect(scanned.waiting).toEqual([{ fileId: waits.id, kind: "scan" }]);
    if (waits.requestId === null) {
      const [status, answer] = await info(waits.downloadId);
      if (mode === "after") expect([status, answer.scan]).toEqual([200, { state: "pending" }]);
      else expect([status, answer.code]).toEqual([409, "BEING_CHECKED"]);
    }
    expect(await scanned.scanAll()).toBe(0);
    expect((await newestFile<FileRow>(uploader, COLUMNS)).state).toBe("clean");
    if (waits.requestId === null) {
      const [status, answer] = await info(waits.downloadId);
      expect([status, answer.scan]).toEqual([200, { state: "clean", at: expect.any(String) as string }]);
    }
  });

  it.each(EACH_WAY)(
    "a finding in what comes by %s closes the link, and its owner is mailed [SCAN-4]",
    async (_way, send) => {
      await send(uploader, bad(), "a.txt");
      await scanned.scanAll();
      const file = await newestFile<FileRow>(uploader, COLUMNS);
      expect(file.state).toBe("infected");
      expect(await casesOf(file.id)).toHaveLength(1);
      const mail = (await mailsTo(uploader.person.email)).at(-1);
      expect(mail?.subject).toMatch(/^A virus scanner found something in /);
      expect(mail?.text).toContain("“Mayfly.Test”");
      if (file.requestId !== null) return;
      for (const path of ["", "/content", "/preview"]) {
        const refused = await stranger.fetch(`/api/files/download/${file.downloadId}${path}`);
        expect([path, refused.status, (await refused.json<{ code: string }>()).code]).toEqual([
          path,
          410,
          "FILE_INFECTED",
        ]);
      }
      const [status, answer] = await info(file.downloadId, uploader.person);
      expect([status, answer.scan]).toMatchObject([200, { state: "infected", finding: "Mayfly.Test" }]);
      const { cookie } = await logInAdmin();
      expect((await info(file.downloadId, new Client(cookie, uploader.send)))[0]).toBe(200);
    },
  );

  it("one bad file closes a whole transfer, and the mail names it [SCAN-4]", async () => {
    const files = [textFile("a.txt"), { ...textFile("folder/b.txt"), bytes: bad() }, textFile("c.txt")];
    await sendTransfer(uploader.person, files);
    await scanned.scanAll();
    expect((await newestFile<FileRow>(uploader, COLUMNS)).state).toBe("infected");
    expect((await mailsTo(uploader.person.email)).at(-1)?.text).toContain("folder/b.txt");
  });

  it("a transfer of more files than one message takes is scanned by several [SCAN-3]", async () => {
    const files = Array.from({ length: 450 }, (_, n) => textFile(`${n}.txt`, n === 449 ? FOUND_IN : `${n}`));
    await sendTransfer(uploader.person, files);
    expect(await scanned.scanAll()).toBe(0);
    expect((await newestFile<FileRow>(uploader, COLUMNS)).state).toBe("infected");
  });

  it("a file above the limit is not scanned, and its page says so [SCAN-5]", async () => {
    await use(scannedEnv(mode, clamd("well"), { SCAN_MAX_MB: "1" }));
    await sendFile(uploader.person, patternBytes(1_000_001));
    await sendTransfer(uploader.person, [textFile("a.txt"), { ...textFile("b.bin"), bytes: patternBytes(1_000_001) }]);
    await scanned.scanAll();
    const { downloadId, state } = await newestFile<FileRow>(uploader, COLUMNS);
    expect(state).toBe("unscanned");
    expect((await info(downloadId))[1].scan).toMatchObject({ state: "unscanned" });
    const page = await (await stranger.fetch(`/download/${downloadId}`, { headers: { accept: "text/html" } })).text();
    expect(page).toContain("Not checked for viruses: too large.");
  });

  it("the owner's language is that of the mail", async () => {
    await runSql("update users set locale = 'de' where id = ?", uploader.person.id);
    await sendFile(uploader.person, bad());
    await scanned.scanAll();
    expect((await mailsTo(uploader.person.email)).at(-1)?.subject).toMatch(
      /^Ein Virenscanner hat in .* etwas gefunden$/,
    );
  });

  it.each(MOODS.filter((mood) => mood !== "well"))(
    "a scanner that is %s leaves the link waiting, and is asked again [SCAN-2]",
    async (mood) => {
      await use(scannedEnv(mode, clamd(mood)));
      const { downloadId } = await sendFile(uploader.person, patternBytes(2_000_000));
      expect(await scanned.scanAll()).toBe(1);
      expect((await newestFile<FileRow>(uploader, COLUMNS)).state).toBe("pending");
      const [status] = await info(downloadId);
      expect(status).toBe(mode === "after" ? 200 : 409);
      const well = scannedEnv(mode);
      well.waiting.push(...scanned.waiting);
      expect(await well.scanAll()).toBe(0);
      expect((await newestFile<FileRow>(uploader, COLUMNS)).state).toBe("clean");
    },
  );

  it("a scanner that is away for 15 minutes is mailed once, and fails the health until it answers [SCAN-6]", async () => {
    await use(scannedEnv(mode, `clamd://127.0.0.1:${scanners.nobody}`));
    await sendFile(uploader.person, good());
    await scanned.scanAll();
    const now = Math.ceil(Date.now() / (10 * MINUTE_MS)) * 10 * MINUTE_MS + 20 * MINUTE_MS;
    const before = (await mailsTo(env.CONTACT_EMAIL)).length;
    const healthAt = (at: number): Promise<Health> => checkHealth(scanned.services, at);
    expect((await healthAt(Date.now())).checks.scanner?.ok).toBe(true);
    scanned.waiting.length = 0;
    // The message was lost: the cron gives the link to the queue again.
    expect(await watchScans(scanned.services, now)).toBeGreaterThan(0);
    await watchScans(scanned.services, now + MINUTE_MS);
    const mails = (await mailsTo(env.CONTACT_EMAIL)).slice(before);
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^The virus scanner of .* does not answer$/),
    ]);
    expect((await healthAt(now)).checks.scanner?.ok).toBe(false);
    const well = scannedEnv(mode);
    well.waiting.push(...scanned.waiting);
    await well.scanAll();
    expect((await healthAt(now)).checks.scanner?.ok).toBe(true);
  });
});

describe("with SCAN=before, until the scanner answers", () => {
  beforeEach(() => use(scannedEnv("before")));

  it("a stranger gets no byte by any address, and the page says that the link is being checked [SCAN-7]", async () => {
    const { downloadId } = await sendFile(uploader.person, good());
    await sendTransfer(uploader.person, [textFile("a.txt")]);
    const transfer = await newestFile<FileRow>(uploader, COLUMNS);
    const paths = [
      contentPath(downloadId),
      `/api/files/download/${downloadId}/preview`,
      `/api/v1/links/${downloadId}`,
      `/api/v1/links/${downloadId}/files`,
      `/api/v1/links/${downloadId}/files/0`,
      contentPath(transfer.downloadId),
      `/api/files/download/${transfer.downloadId}/entries`,
      `/api/files/download/${transfer.downloadId}/entries/0/content`,
    ];
    for (const path of paths) {
      const [status, body] = await answerOf(stranger.fetch(path));
      expect([path, status, JSON.stringify(body).includes("BEING_CHECKED")]).toEqual([path, 409, true]);
    }
    const page = await stranger.fetch(`/download/${downloadId}`, { headers: { accept: "text/html" } });
    expect(page.status).toBe(409);
    expect(await page.text()).toContain("This page opens the link by itself.");
  });

  it("its owner gets it, except what others have sent through a request [SCAN-7]", async () => {
    const { downloadId } = await sendFile(uploader.person, good());
    expect((await uploader.person.fetch(contentPath(downloadId))).status).toBe(200);
    const sent = await EACH_WAY.find(([way]) => way === "a request")?.[1](uploader, good(), "a.txt");
    expect(sent?.status).toBe(200);
    const received = await newestFile<FileRow>(uploader, COLUMNS);
    expect((await uploader.person.fetch(contentPath(received.downloadId))).status).toBe(409);
    await scanned.scanAll();
    expect((await uploader.person.fetch(contentPath(received.downloadId))).status).toBe(200);
  });
});

describe("with SCAN=after", () => {
  beforeEach(() => use(scannedEnv("after")));

  it("a download under way is cut once the scanner has found something [SCAN-8]", async () => {
    const { uploadId } = await sendFile(uploader.person, bad());
    const file = { id: uploadId, seal: null, status: "ready", scanState: "pending" } as const;
    const { signal, stop } = watchScan(scanned.services, file, 20);
    expect(signal?.aborted).toBe(false);
    await scanned.scanAll();
    await vi.waitFor(() => expect(signal?.aborted).toBe(true));
    stop();
    expect(watchScan(scanned.services, { ...file, scanState: "clean" }).signal).toBeNull();
    expect(watchScan(scanned.services, { ...file, seal: "{}" }).signal).toBeNull();
  });
});

describe("without a scanner", () => {
  it("nothing waits, and nothing is said [SCAN-9]", async () => {
    const owner = await newUploader();
    const { downloadId } = await sendFile(owner.person, bad());
    expect((await newestFile<FileRow>(owner, COLUMNS)).state).toBeNull();
    const [status, answer] = await answerOf(new Client().fetch(`/api/files/download/${downloadId}`));
    expect([status, "scan" in answer]).toEqual([200, false]);
  });
});
