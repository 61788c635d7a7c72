import { PRODUCT_NAME, PRODUCT_TAGLINE } from "#domain/brand.ts";
import { MOST_ENTRIES, PLANS } from "#domain/plans.ts";
import { findSitePage, PRIVATE_PATHS, SITE_PAGES } from "#domain/site-pages.ts";
import { longestExpiry } from "#domain/text-facts.ts";
import { formatBytes } from "#domain/units.ts";
import { V1_PATH } from "#domain/v1/call.ts";
import type { ApiDescription } from "#domain/v1/description.ts";
import type { PublicSeo } from "#domain/wire.ts";
import { escapeXml } from "#domain/xml.ts";
import { listSeo } from "../db/content.ts";
import type { Services } from "../services.ts";
import { toPublicSeo } from "./seo.ts";
import { whoMayUpload } from "./text-facts.ts";

/** The pages that have an SEO record, in the order of `SITE_PAGES`. */
async function listedPages(services: Services): Promise<PublicSeo[]> {
  const rows = await listSeo(services.db);
  const order = (row: { page: string }) => SITE_PAGES.findIndex(({ path }) => path === row.page);
  return rows
    .filter(({ page }) => findSitePage(page)?.path === page)
    .sort((a, b) => order(a) - order(b))
    .map((row) => toPublicSeo(services, row));
}

/** The sitemap.xml (https://www.sitemaps.org/protocol.html). */
export async function sitemap(services: Services): Promise<string> {
  const pages = await listedPages(services);
  const entries = pages.map(
    ({ page, updatedAt }) =>
      `  <url><loc>${escapeXml(services.settings.origin + page)}</loc><lastmod>${updatedAt}</lastmod></url>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</urlset>\n`;
}

/** The robots.txt (RFC 9309). */
export async function robots(services: Services): Promise<string> {
  const pages = await listedPages(services);
  const lines = [
    "User-agent: *",
    ...pages.map(({ page }) => `Allow: ${page === "/" ? "/$" : page}`),
    ...PRIVATE_PATHS.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${services.settings.origin}/sitemap.xml`,
  ];
  return `${lines.join("\n")}\n`;
}

/** A description of the site for language models (https://llmstxt.org). */
export async function llms(services: Services): Promise<string> {
  const pages = await listedPages(services);
  const home = pages.find(({ page }) => page === "/");
  const plans = PLANS.map(
    (plan) =>
      `- ${plan.name}: files up to ${formatBytes(plan.limits.fileSizeBytes)}, kept ${retentionText(longestExpiry(plan))}, ` +
      `up to ${plan.limits.entries.toLocaleString("en-US")} files in one transfer, ` +
      `${formatBytes(plan.limits.monthBytes)} and ${plan.limits.monthTransfers.toLocaleString("en-US")} uploads a month`,
  );
  const abilities = [
    `One link for a file, or for a folder of up to ${MOST_ENTRIES.toLocaleString("en-US")} files. It works while the upload is still running, and uploads and downloads resume.`,
    "A password, a limit of downloads and end-to-end encryption, on every plan. The key of an encrypted link is behind its `#` and never sent to the server.",
    "Requests: a link through which anybody sends files to an account, without one of their own.",
    `For programs: curl, tus, an API and webhooks. ${services.settings.origin}/developers has examples, ${services.settings.origin}/api/v1/openapi.json describes each call.`,
    `A command line: npx ${services.settings.origin}/cli`,
    `A Thunderbird add-on for large attachments: ${services.settings.origin}/thunderbird`,
  ].map((ability) => `- ${ability}`);
  const links = pages.map(
    ({ page, title, description }) =>
      `- [${oneLine(title).replace(/[[\]]/g, "")}](${services.settings.origin}${page}): ${oneLine(description)}`,
  );
  return (
    [
      `# ${PRODUCT_NAME}`,
      `> ${oneLine(home?.description ?? `${PRODUCT_TAGLINE}.`)}`,
      `${whoMayUpload(services.settings)} Whoever has a download link can open it without one, until the file expires.`,
      `## What it does\n\n${abilities.join("\n")}`,
      `## Plans\n\n${plans.join("\n")}`,
      `## Pages\n\n${links.join("\n")}`,
    ].join("\n\n") + "\n"
  );
}

function retentionText(expiry: string): string {
  return expiry === "forever" ? "as long as you like" : `up to ${expiry}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The description of `/api/v1` that is deployed with the pages. @throws Error when the file cannot be read */
export async function readApiDescription({ assets, settings }: Services): Promise<ApiDescription> {
  const response = await assets.fetch(`${settings.origin}${V1_PATH}/openapi.json`);
  if (!response.ok) throw new Error(`openapi.json answered ${response.status}`);
  return response.json();
}
