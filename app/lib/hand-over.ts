import { HOUR_MS } from "#domain/units.ts";

/** Gives bytes to the browser's downloads. */
export function handOver(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Freed when the browser has copied it.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, HOUR_MS);
}
