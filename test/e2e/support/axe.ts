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
const SCREENSHOT_FOLDER = "test-results/states";
const WIDTHS = [390, 1280];
/** Markup is the same in both themes: in the dark one check only colours. */
const RULES = { light: {}, dark: { runOnly: ["color-contrast"] } } satisfies Record<string, RunOptions>;
const SCHEMES = ["light", "dark"] as const;

/**
 * Checks a page at two widths and in both themes: no serious or critical axe violations, and no horizontal overflow.
 * Saves a screenshot of each state to test-results/states/.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await mkdir(SCREENSHOT_FOLDER, { recursive: true });
  // The page's Content-Security-Policy blocks script tags.
  await page.evaluate(AXE);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // Wait until the page is restyled.
      await page.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, colorScheme);
      await page.evaluate(() => new Promise((styled) => requestAnimationFrame(() => requestAnimationFrame(styled))));
      const state = `${name}-${width}-${colorScheme}`;
      const findings = await page.evaluate(async (rules) => {
        const { violations } = await window.axe.run({ ...rules, resultTypes: ["violations"] });
        const severe = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        return severe.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary ?? ""}`),
        );
      }, RULES[colorScheme]);
      await page.screenshot({ path: `${SCREENSHOT_FOLDER}/${state}.png` });
      expect.soft(findings, state).toEqual([]);
      const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(overflowPx, `${state} is wider than the screen`).toBeLessThanOrEqual(0);
    }
  }
}
