import type { Page } from "@playwright/test";

/** Of an upload of 24 MiB and a byte: the third and the last part. */
export const LATER_PARTS = /partNumber=[34]&/;

/** Collects the numbers of the parts that a page sends from now on. */
export function watchParts(page: Page): Set<number> {
  const sent = new Set<number>();
  page.on("request", (request) => {
    const part = new URL(request.url()).searchParams.get("partNumber");
    if (request.method() === "PUT" && part !== null) sent.add(Number(part));
  });
  return sent;
}

/** Resolves once the server has acknowledged all of these parts over the next upload's socket, in any order. */
export async function acknowledgedParts(page: Page, parts: number[]): Promise<void> {
  const missing = new Set(parts);
  const socket = await page.waitForEvent("websocket");
  await socket.waitForEvent("framereceived", {
    predicate: ({ payload }) => {
      const [, list = ""] = /"received","parts":\[([^\]]*)\]/.exec(String(payload)) ?? [];
      for (const part of list.split(",")) missing.delete(Number(part));
      return missing.size === 0;
    },
  });
}
