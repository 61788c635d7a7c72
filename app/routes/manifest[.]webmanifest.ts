import { crawlerFileResponse } from "#app/features/content/crawler-file.server.ts";
import { PRODUCT_NAME, PRODUCT_TAGLINE } from "#domain/brand.ts";

/** The service worker receives the files that other apps share (public/share-worker.js). */
const SHARE_TARGET = {
  action: "/share",
  method: "POST",
  enctype: "multipart/form-data",
  params: { files: [{ name: "file", accept: ["*/*"] }] },
};

const MANIFEST = {
  name: PRODUCT_NAME,
  short_name: PRODUCT_NAME,
  description: `${PRODUCT_TAGLINE}.`,
  id: "/",
  start_url: "/",
  scope: "/",
  display: "standalone",
  background_color: "#f5f4ee",
  theme_color: "#0e5c50",
  share_target: SHARE_TARGET,
  icons: [
    { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
    { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
    { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
    { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
  ],
};

export const loader = () => crawlerFileResponse(JSON.stringify(MANIFEST), "application/manifest+json");
