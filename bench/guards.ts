import { randomBytes } from "node:crypto";
import { deriveLinkTokenKeys, issueGrant, readGrant } from "#domain/protection/tokens.ts";
import { KIB, MIB } from "#domain/units.ts";
import type { TakeAnswer, UnlockAnswer } from "#domain/wire.ts";
import { measureOperations, type Operation } from "./support/operations.ts";
import type { Bench } from "./support/bench.ts";
import { discard } from "./support/http.ts";
import { measureInTurns, median, withoutSetup, type Row } from "./support/measure.ts";
import { uploadByScript } from "./support/script.ts";

const PASSWORD = "a good password";
const MAX_DOWNLOADS = 1000;
const SMALL_BYTES = KIB;
const LARGE_BYTES = 16 * MIB;
const LARGE_TIMES = 16;
const CPU_CALLS = 100;
const GRANT_CHECKS = 5000;
/** Many rounds, because the figure of a gate is a small difference of two large figures. */
const ROUNDS = 5;
const GRANT_BUDGET_MS = 0.3;
const GATE_BUDGET_MS = 1;
/** A download calls its gate twice: to say that it begins, and how it ended. */
const GATE_CALLS_PER_DOWNLOAD = 2;

/** What a password and a download limit cost: CPU beside budgets, and a limited download beside an unlimited one. */
export async function measureGuards(bench: Bench): Promise<Row[]> {
  return [...(await cpuOfGuards(bench)), await limitedDownloads(bench)];
}

async function cpuOfGuards(bench: Bench): Promise<Row[]> {
  const { account, server } = bench;
  const bytes = randomBytes(SMALL_BYTES);
  const plain = await uploadByScript(account, bytes);
  const locked = await uploadByScript(account, bytes, { password: PASSWORD });
  const limited = await uploadByScript(account, bytes, { maxDownloads: MAX_DOWNLOADS });
  const addressOf = (downloadId: string) => `${server.origin}/api/files/download/${downloadId}`;
  const { grant } = await post<UnlockAnswer>(`${addressOf(locked.downloadId)}/unlock`, { password: PASSWORD });
  const { lease } = await post<TakeAnswer>(`${addressOf(limited.downloadId)}/take`, {});
  const download = (what: string, downloadId: string, headers: Record<string, string>): Operation => {
    const call = async () => {
      const response = await fetch(`${addressOf(downloadId)}/content`, { headers });
      if (response.status !== 200) throw new Error(`${what} answered ${response.status}`);
      await response.arrayBuffer();
    };
    return { what, budgetMs: null, calls: CPU_CALLS, prepare: (count) => Promise.resolve(Array(count).fill(call)) };
  };
  const operations = [
    download("a download of 1 KB", plain.downloadId, {}),
    download("the same, behind a password", locked.downloadId, { authorization: `Bearer ${grant}` }),
    download("the same, with a limit", limited.downloadId, { "mayfly-lease": lease ?? "" }),
  ];
  const rounds: Row[][] = [];
  while (rounds.length < ROUNDS) rounds.push(await measureOperations(bench, operations));
  const rows = operations.map(({ what }, index) => ({
    what: `CPU of ${what}`,
    productMs: median(rounds.map((round) => round[index]?.productMs ?? NaN)),
    floorMs: null,
  }));
  const moreMs = median(rounds.map((round) => (round[2]?.productMs ?? NaN) - (round[0]?.productMs ?? NaN)));
  return [
    ...rows,
    await grantCheck(),
    { what: "CPU of a gate call", productMs: moreMs / GATE_CALLS_PER_DOWNLOAD, floorMs: GATE_BUDGET_MS },
  ];
}

/** Checks grants in Node, whose WebCrypto is slower than that of Workers: downloads differ too little to measure it. */
async function grantCheck(): Promise<Row> {
  const now = Date.now();
  const keys = await deriveLinkTokenKeys("a secret that is long enough for a bench");
  const [link, revision] = ["a-link-of-22-character", 1];
  const token = await issueGrant(keys, link, revision, now);
  const before = process.cpuUsage();
  for (let check = 0; check < GRANT_CHECKS; check += 1) {
    if (!(await readGrant(keys, link, revision, token, now))) throw new Error("a grant was not accepted");
  }
  const { user, system } = process.cpuUsage(before);
  return {
    what: "CPU of checking a grant, in Node",
    productMs: (user + system) / 1000 / GRANT_CHECKS,
    floorMs: GRANT_BUDGET_MS,
  };
}

/** The floor is the same download without a limit. */
async function limitedDownloads({ account, server }: Bench): Promise<Row> {
  const bytes = randomBytes(LARGE_BYTES);
  const plain = await uploadByScript(account, bytes);
  const limited = await uploadByScript(account, bytes, { maxDownloads: MAX_DOWNLOADS });
  const addressOf = (downloadId: string) => `${server.origin}/api/files/download/${downloadId}`;
  const { lease } = await post<TakeAnswer>(`${addressOf(limited.downloadId)}/take`, {});
  const repeated = (url: string) =>
    withoutSetup(async () => {
      for (let time = 0; time < LARGE_TIMES; time += 1) await discard(url);
    });
  const { floor, product } = await measureInTurns(
    {
      floor: repeated(`${addressOf(plain.downloadId)}/content`),
      product: repeated(`${addressOf(limited.downloadId)}/content?lease=${lease}`),
    },
    ROUNDS,
  );
  const what = `down, ${LARGE_TIMES} x 16 MB with a limit, beside none`;
  return { what, sizeBytes: LARGE_TIMES * LARGE_BYTES, productMs: product, floorMs: floor };
}

async function post<Answer>(url: string, body: unknown): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return (await response.json()) as Answer;
}
