import type { Browser } from "playwright-core";
import { prepareServer, type LocalServer } from "../../scripts/local-server.ts";
import { createAccount, type Account } from "./account.ts";
import { openBrowser } from "./browser.ts";
import { Store } from "./store.ts";

export interface Bench {
  server: LocalServer;
  account: Account;
  store: Store;
  browser: Browser;
}

/** Starts a server and a browser, runs the work, and stops both, also on Ctrl-C. */
export async function withBench(measure: (bench: Bench) => Promise<void>): Promise<void> {
  const server = await prepareServer();
  try {
    await server.start();
    const account = await createAccount(server);
    const browser = await openBrowser(server.folder);
    try {
      await Promise.race([measure({ server, account, store: new Store(server.origin), browser }), interruption()]);
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

/** Never resolves. @throws Error on Ctrl-C */
function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    process.once("SIGINT", () => {
      reject(new Error("interrupted"));
    });
  });
}
