import type { Page } from "playwright-core";

/**
 * @param page of the browser
 * @returns a function that returns the CPU seconds of all tabs since this call. Tabs that have closed by then are left
 * out
 */
export async function cpuOfTabs(page: Page): Promise<() => Promise<number>> {
  const browser = page.context().browser();
  if (!browser) throw new Error("this page has no browser");
  const session = await browser.newBrowserCDPSession();
  const read = async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return new Map(
      processInfo.filter(({ type }) => type === "renderer").map(({ id, cpuTime }) => [id, cpuTime] as const),
    );
  };
  const before = await read();
  return async () => {
    const after = await read();
    await session.detach();
    return [...after].reduce((sum, [id, seconds]) => sum + seconds - (before.get(id) ?? 0), 0);
  };
}
