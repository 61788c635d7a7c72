/** Copies a text. @returns whether it worked; why not is in the console */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    if (copyBySelection(text)) return true;
    console.warn("copying failed", error);
    return false;
  }
}

/** The old way, for browsers that have no clipboard for a page, or none without TLS. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "fixed opacity-0";
  // Inside an open dialog, which keeps the focus to itself.
  (document.querySelector<HTMLElement>("[role=dialog]") ?? document.body).appendChild(area);
  const focused = document.activeElement;
  area.select();
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else works there
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
