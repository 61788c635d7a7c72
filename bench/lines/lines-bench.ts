import type { StartUploadAnswer } from "#domain/wire.ts";
import { prepareServer, type LocalServer } from "../../scripts/local-server.ts";
import { createAccount, type Account } from "../support/account.ts";
import { profiles, type Windows } from "../support/browser.ts";
import { peersInPage, serveTus } from "../support/peers.ts";
import type { RandomFile } from "../support/random-file.ts";
import { uploadByScript } from "../support/script.ts";
import { Store } from "../support/store.ts";
import { makeCertificate } from "./store-front.ts";
import { startLine, type RunningLine } from "./start-line.ts";
import { startWormhole, type Wormhole } from "./wormhole.ts";

export interface LinesBench {
  server: LocalServer;
  account: Account;
  /** Each context is a browser of its own, with a profile of its own. */
  browser: Windows;
  line: RunningLine;
  /** The line of somebody else, who reads what is sent. */
  readerLine: RunningLine;
  /** The store, reached without the line. */
  store: Store;
  /** The same store, which signs addresses that lead over the line. */
  lineStore: Store;
  /** Null where magic-wormhole is not installed. */
  wormhole: Wormhole | null;
  /** Scripts of the compared programs, for a page. */
  scripts: string[];
  /** Stores a file as the product does, without the line. */
  upload(file: RandomFile): Promise<StartUploadAnswer>;
}

/**
 * Starts everything on both sides of a line, runs the work, and stops everything, also on Ctrl-C.
 * @param program an installed Chromium; null for the one from npm
 * @param http2 whether browsers speak HTTP/2 to the store instead of HTTP/1.1
 */
export async function withLines(
  { program, http2 }: { program: string | null; http2: boolean },
  measure: (bench: LinesBench) => Promise<void>,
): Promise<void> {
  const line = await startLine(http2 ? makeCertificate() : null);
  const readerLine = await startLine(null);
  const { app: publicOrigin, store } = line.origins;
  const server = await prepareServer({ publicOrigin, storeEndpoint: http2 ? store : `${store}/cdn-cgi/local/r2/s3` });
  const stops: (() => unknown)[] = [
    () => {
      line.stop();
      readerLine.stop();
    },
    () => server.stop(),
  ];
  try {
    await server.start();
    const tus = await serveTus(`${server.folder}/tus`);
    stops.push(tus.stop);
    const wormhole = await startWormhole();
    if (wormhole) stops.push(wormhole.stop);
    const appPort = Number(new URL(server.origin).port);
    const targets = { appPort, tusPort: tus.port, relayPort: wormhole?.relayPort ?? null };
    for (const one of [line, readerLine]) await one.lead(targets);
    const account = await createAccount(server);
    const interrupted = new Promise<never>((_, reject) => {
      process.once("SIGINT", () => {
        reject(new Error("interrupted"));
      });
    });
    const bench: LinesBench = {
      server,
      account,
      browser: await profiles(server.folder, program, http2 ? ["--ignore-certificate-errors"] : []),
      line,
      readerLine,
      wormhole,
      store: new Store(server.origin),
      lineStore: new Store(line.origins.store),
      scripts: peersInPage(server.folder),
      upload: ({ bytes }) => uploadByScript(account, bytes),
    };
    await Promise.race([measure(bench), interrupted]);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}
