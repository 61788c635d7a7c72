import { HOUR_MS } from "#domain/units.ts";

/** Downloads bytes through the browser, without their type, so that no browser opens them as a page of this site. */
export function handOver(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes.slice(0, bytes.size, "application/octet-stream"));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has copied the bytes within an hour.
  setTimeout(() => URL.revokeObjectURL(url), HOUR_MS);
}
