import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";
import { expect } from "./fixtures.ts";

declare global {
  interface Window {
    axe: { run(options: RunOptions): Promise<AxeResults> };
  }
}

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FOLDER = "test-results/states";
const WIDTHS = [390, 1280];
/** What a page is made of is the same in the dark: what is left to look at are its colours. */
const RULES = { light: {}, dark: { runOnly: ["color-contrast"] } } satisfies Record<string, RunOptions>;
const SCHEMES = ["light", "dark"] as const;

/**
 * Looks at what a page shows, narrow and wide, light and dark: nothing that axe calls serious or critical, and nothing
 * wider than the screen. A picture of each is kept in test-results/states/.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  // Evaluated: the page's policy lets no script tag in.
  await page.evaluate(AXE);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // The emulation is answered before the page has been styled anew.
      await page.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, colorScheme);
      await page.evaluate(() => new Promise((styled) => requestAnimationFrame(() => requestAnimationFrame(styled))));
      const state = `${name}-${width}-${colorScheme}`;
      const findings = await page.evaluate(async (rules) => {
        const { violations } = await window.axe.run({ ...rules, resultTypes: ["violations"] });
        const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        return grave.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary ?? ""}`),
        );
      }, RULES[colorScheme]);
      await page.screenshot({ path: `${FOLDER}/${state}.png` });
      expect.soft(findings, state).toEqual([]);
      const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(overflowPx, `${state} is wider than the screen`).toBeLessThanOrEqual(0);
    }
  }
}
