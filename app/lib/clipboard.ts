/** Copies a text. @returns false on failure, which is logged */
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

/** Copies without `navigator.clipboard`, which old browsers and pages without TLS do not have. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "fixed opacity-0";
  // An open dialog traps the focus, so the text area must be inside the dialog.
  (document.querySelector<HTMLElement>("[role=dialog]") ?? document.body).appendChild(area);
  const previousFocus = document.activeElement;
  area.select();
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- no replacement works there
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (previousFocus instanceof HTMLElement) previousFocus.focus();
  }
}
