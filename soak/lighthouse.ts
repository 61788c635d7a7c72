import lighthouse from "lighthouse";
import type { StartUploadAnswer } from "#domain/wire.ts";
import { createAccount } from "../bench/support/account.ts";
import { openBrowser } from "../bench/support/browser.ts";
import { freePort } from "../scripts/free-port.ts";
import { prepareServer } from "../scripts/local-server.ts";
import { Client } from "./client.ts";

export const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof CATEGORIES)[number];

/** The lowest scores that a page may have, of 100; null for a category that does not apply. */
type Scores = Record<Category, number | null>;

/** The scores of pages that search engines list, and that need SEO, too. */
const LISTED: Scores = { performance: 97, accessibility: 100, "best-practices": 100, seo: 100 };
const UNLISTED: Scores = { ...LISTED, seo: null };

export interface Judged {
  page: string;
  scores: Scores;
  minScores: Scores;
  faults: string[];
}

/**
 * Runs Lighthouse on the built pages as a slow phone, the dashboard signed in. Chromium slows the line and the
 * processor down while a page loads. Lighthouse by default loads the page at full speed and then estimates; on a local
 * line that estimate counts scripts that arrive before the first paint as if the paint waited for them. Each page runs
 * `runs` times, and the run with the median performance counts.
 */
export async function proveLighthouse(runs: number, log: (line: string) => void): Promise<Judged[]> {
  const server = await prepareServer();
  const port = await freePort();
  const browser = await openBrowser(server.folder, [`--remote-debugging-port=${port}`]);
  try {
    await server.start();
    const account = await createAccount(server);
    const link = await shareFile(server.origin, new Client(server.origin, account));
    const cookie = `${account.cookie.name}=${account.cookie.value}`;
    const pages = [
      { page: "home", path: "/", minScores: LISTED },
      { page: "pricing", path: "/pricing", minScores: LISTED },
      { page: "features", path: "/features", minScores: LISTED },
      { page: "developers", path: "/developers", minScores: LISTED },
      { page: "download", path: link, minScores: UNLISTED },
      { page: "dashboard", path: "/dashboard", minScores: UNLISTED, headers: { cookie } },
    ];
    const judged: Judged[] = [];
    for (const { page, path, minScores, headers } of pages) {
      const results = [];
      for (let run = 0; run < runs; run += 1) results.push(await judge(server.origin + path, port, headers));
      const middle = results.sort((a, b) => Number(a.scores.performance) - Number(b.scores.performance))[runs >> 1];
      if (!middle) throw new Error("at least one run is needed");
      judged.push({ page, minScores, ...middle });
      log(`${page}: ${CATEGORIES.map((category) => `${category} ${middle.scores[category]}`).join(", ")}`);
    }
    return judged;
  } finally {
    await browser.close();
    await server.stop();
  }
}

export function isGoodEnough({ scores, minScores }: Judged): boolean {
  return CATEGORIES.every((category) => (scores[category] ?? 0) >= (minScores[category] ?? 0));
}

async function judge(url: string, port: number, headers: Record<string, string> = {}) {
  const result = await lighthouse(url, {
    port,
    output: "json",
    logLevel: "error",
    throttlingMethod: "devtools",
    onlyCategories: [...CATEGORIES],
    extraHeaders: headers,
  });
  if (!result || result.lhr.runtimeError)
    throw new Error(`${url}: ${result?.lhr.runtimeError?.message ?? "no answer"}`);
  const { categories, audits } = result.lhr;
  const scoreOf = (category: Category) => Math.round((categories[category]?.score ?? 0) * 100);
  const scores = Object.fromEntries(CATEGORIES.map((category) => [category, scoreOf(category)])) as Scores;
  const costly = Object.values(audits).filter(({ score, scoreDisplayMode }) => {
    return score !== null && score < 0.9 && scoreDisplayMode !== "informative";
  });
  return { scores, faults: costly.map(({ id, displayValue }) => `${id}${displayValue ? ` (${displayValue})` : ""}`) };
}

/** Uploads a small file. @returns the path of its download page */
async function shareFile(origin: string, client: Client): Promise<string> {
  const body = new TextEncoder().encode("A few words to download.\n");
  const { presignedUrl, downloadId, fileData } = await client.post<StartUploadAnswer>(
    "/api/direct-upload/presigned-url",
    {
      filename: "words.txt",
      fileType: "text/plain",
      fileSize: body.length,
      expiration: "1d",
    },
  );
  await client.putToStore(new URL(presignedUrl, origin).href, body, fileData.contentType);
  await client.post("/api/direct-upload/complete", { downloadId });
  return `/download/${downloadId}`;
}
