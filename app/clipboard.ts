/** Copies a text. @returns whether it worked; why not is in the console */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    console.warn("copying failed", error);
    return false;
  }
}
