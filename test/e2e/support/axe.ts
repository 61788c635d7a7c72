import { readFile } from "node:fs/promises";
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
/** Markup is the same in both themes, and colours are the same at both widths. */
const VIEWS: { width: number; colorScheme: "light" | "dark"; rules: RunOptions }[] = [
  { width: 390, colorScheme: "light", rules: {} },
  { width: 390, colorScheme: "dark", rules: { runOnly: ["color-contrast"] } },
  { width: 1280, colorScheme: "light", rules: {} },
];

/**
 * Checks a page narrow and wide, light and dark: no serious or critical axe violations, and no horizontal overflow.
 * With STATE_SCREENSHOTS=1, saves a screenshot of each state to test-results/states/.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  // The page's Content-Security-Policy blocks script tags.
  await page.evaluate(AXE);
  for (const { width, colorScheme, rules } of VIEWS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Wait until the page is restyled.
    await page.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, colorScheme);
    await page.evaluate(() => new Promise((styled) => requestAnimationFrame(() => requestAnimationFrame(styled))));
    const state = `${name}-${width}-${colorScheme}`;
    const findings = await page.evaluate(async (options) => {
      const { violations } = await window.axe.run({ ...options, resultTypes: ["violations"] });
      const severe = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      return severe.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary ?? ""}`),
      );
    }, rules);
    if (process.env.STATE_SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOT_FOLDER}/${state}.png` });
    expect.soft(findings, state).toEqual([]);
    const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(overflowPx, `${state} is wider than the screen`).toBeLessThanOrEqual(0);
  }
}
