import * as z from "zod/mini";
import { comparePages } from "../compare-release.ts";
import type { Wrangler } from "../deploy/wrangler.ts";

/** A site that is checked, and the credentials for the check. */
export interface Site {
  origin: string;
  /** Runs wrangler with the credentials of the site's Cloudflare account. */
  wrangler: Wrangler;
  bucket: { name: string; jurisdiction: string | null };
  /** An answer of the environment or the person. @throws Error, which says what to do, when neither gives an answer */
  ask(name: "MAYFLY_KEY" | "ADMIN_USERNAME" | "ADMIN_PASSWORD" | "ADMIN_CODE" | "CONTACT_EMAIL"): Promise<string>;
}

const release = z.object({ id: z.string(), files: z.record(z.string(), z.string()) });

/** @throws Error when the site has no release.json */
export async function readRelease({ origin }: Site) {
  const response = await fetch(`${origin}/release.json`);
  const parsed = release.safeParse(await response.json().catch(() => null));
  if (parsed.success) return parsed.data;
  throw new Error(`/release.json answers ${response.status} without a release. Run \`npm run deploy\`.`);
}

/**
 * Looks at scripts of pages.
 * @param paths of the pages; by default one of each kind @returns a sentence for each script that is not the release's
 */
export async function findForeignScripts(site: Site, paths?: string[]): Promise<string[]> {
  const differences = await comparePages(site.origin, (await readRelease(site)).files, paths);
  return differences.map((text) => `${text} See docs/operations.md, "Settings of the zone".`);
}
