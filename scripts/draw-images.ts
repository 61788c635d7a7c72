import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { chromium, type Page } from "playwright-core";
import { PRODUCT_NAME, PRODUCT_TAGLINE } from "#domain/brand.ts";

/** `node scripts/draw-images.ts`: draws the bitmaps in `public/` from the logo. */
process.env.TMPDIR = resolve(".tmp/browser");
mkdirSync(process.env.TMPDIR, { recursive: true });
const { default: packaged } = await import("@sparticuz/chromium");

const PAPER = "#f5f4ee";
const INK = "#13211f";
const MUTED = "#55635f";
const REED = "#0e5c50";
const AMBER = "#f4b254";
const DISPLAY_FONT = "Palatino, 'Palatino Linotype', P052, Georgia, serif";
const TEXT_FONT = "'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif";

const WINGS = "M16 9c-1 4-5 7-10 7 4 2 8 1 10-2 2 3 6 4 10 2-5 0-9-3-10-7z";
const BODY = "M16 13c-.6 5-.6 9 0 13 .6-4 .6-8 0-13z";

/** The logo without background, in a box of 32 units. */
const insect = `<path d="${WINGS}" fill="${AMBER}"/><path d="${BODY}" fill="#fff"/>`;

/** The logo with a full background, for systems that crop icons to a shape. */
const fullIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 40 40"><rect x="-4" y="-4" width="40" height="40" fill="${REED}"/>${insect}</svg>`;
const icon = readFileSync("public/favicon.svg", "utf8");

/** Open Graph image, 1200 × 630. */
const card = `
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">
  <rect width="1200" height="630" fill="${PAPER}"/>
  <circle cx="990" cy="250" r="156" fill="#efe2c4"/>
  <path d="M0 520c200-40 400-40 600 0s400 40 600 0v110H0z" fill="${REED}"/>
  <path d="M0 562c200-34 400-34 600 0s400 34 600 0v68H0z" fill="#0a463d"/>
  <g transform="translate(774 32) rotate(-6 234 234) scale(13.6)"><path d="${WINGS}" fill="${AMBER}"/><path d="${BODY}" fill="${REED}"/></g>
  <text x="88" y="236" font-family="${DISPLAY_FONT}" font-size="112" font-weight="600" fill="${INK}">${PRODUCT_NAME}</text>
  <text x="92" y="312" font-family="${TEXT_FONT}" font-size="36" fill="${MUTED}">${PRODUCT_TAGLINE}.</text>
  <text x="92" y="388" font-family="${TEXT_FONT}" font-size="29" fill="${REED}">Upload a file. Send the link. Say when it’s gone.</text>
</svg>`;

const browser = await chromium.launch({
  executablePath: await packaged.executablePath(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});
const page = await browser.newPage();
writeFileSync("public/og.png", await draw(page, card, 1200, 630));
writeFileSync("public/apple-touch-icon.png", await draw(page, fullIcon, 180, 180));
writeFileSync("public/icon-192.png", await draw(page, icon, 192, 192));
writeFileSync("public/icon-512.png", await draw(page, icon, 512, 512));
writeFileSync("public/icon-maskable-512.png", await draw(page, fullIcon, 512, 512));
writeFileSync("public/favicon.ico", toIco(await draw(page, icon, 32, 32)));
await browser.close();

/** @returns a PNG with a transparent background */
async function draw(page: Page, svg: string, width: number, height: number): Promise<Uint8Array> {
  await page.setViewportSize({ width, height });
  const sized = svg.replace("<svg ", `<svg width="${width}" height="${height}" `);
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${sized}`);
  return page.screenshot({ omitBackground: true });
}

/** Wraps a PNG of 32 × 32 in an ICO file. */
function toIco(png: Uint8Array): Uint8Array {
  const ico = new Uint8Array(22 + png.length);
  const view = new DataView(ico.buffer);
  view.setUint16(2, 1, true);
  view.setUint16(4, 1, true);
  view.setUint8(6, 32);
  view.setUint8(7, 32);
  view.setUint16(10, 1, true);
  view.setUint16(12, 32, true);
  view.setUint32(14, png.length, true);
  view.setUint32(18, 22, true);
  ico.set(png, 22);
  return ico;
}
