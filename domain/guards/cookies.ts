import { SECOND_MS } from "../units.ts";
import { LAPSED_LEASE_KEPT_MS, LEASE_MAX_MS } from "./download-limit.ts";

/** A cookie's name does not leave its path: each link has its own, so that one link's does not replace another's. */
export interface GuardCookie {
  name: string;
  /** The cookie is set once for each. */
  paths: readonly string[];
}

/** The pages' path has no id in it: below one, the page's data (`/download/{id}.data`) would lack the cookie. */
const PAGES = "/download";

export function grantCookie(downloadId: string): GuardCookie {
  return { name: `grant_${downloadId}`, paths: [PAGES, "/api/files/download"] };
}

export function leaseCookie(downloadId: string): GuardCookie {
  return { name: `lease_${downloadId}`, paths: [PAGES, `/api/files/download/${downloadId}`] };
}

/** Names the report whose key an administrator was shown, in the browser that opens the link with it. */
export function reportCookie(downloadId: string): GuardCookie {
  return { name: `report_${downloadId}`, paths: [PAGES, `/api/files/download/${downloadId}`] };
}

/** As long as the gate may know the lease. */
export const LEASE_COOKIE_SECONDS = (LEASE_MAX_MS + LAPSED_LEASE_KEPT_MS) / SECOND_MS;
