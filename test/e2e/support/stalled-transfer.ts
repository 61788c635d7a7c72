import { expect, type Page } from "@playwright/test";
import { MIB } from "#domain/units.ts";
import { chooseFolder, randomFolder } from "./many-files.ts";

/** Small files travel in packs of one part; only a large file has later parts. */
const LATER_PARTS = /partNumber=[2-9]&/;

export interface StalledTransfer {
  /** The folder's absolute path. */
  folder: string;
  /** Sends the rest. */
  goOn(): void;
}

/** Sends a folder whose large file stalls after its first part, when the small ones are stored. */
export async function sendAndStall(page: Page, name: string, small: Record<string, number>): Promise<StalledTransfer> {
  const folder = await randomFolder(name, { ...small, "large.bin": 24 * MIB });
  const held = Promise.withResolvers<undefined>();
  await page.context().route(LATER_PARTS, async (route) => {
    await held.promise;
    // A reload ends the request.
    await route.continue().catch(() => undefined);
  });
  await chooseFolder(page, folder);
  await page.getByRole("button", { name: /^Send \d+ files/ }).click();
  const count = Object.keys(small).length;
  await expect(page.getByText(`${count} of ${count + 1} files`)).toBeVisible();
  return {
    folder,
    goOn: () => {
      held.resolve(undefined);
    },
  };
}
