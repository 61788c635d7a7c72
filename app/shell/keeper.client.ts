import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

// This module imports no dialog directly, so that every page's first scripts name only this small script.

export const loadForgetLinks = () => importWhenOnline(() => import("#app/ui/sharing/forget-links.tsx"));

/** Removes keys of accounts that have signed out, and decrypted files that have been saved. */
export async function tidyKept(userId: string | null): Promise<void> {
  const [{ forgetLinksOfOthers }, { tidyStaged }] = await Promise.all([
    importWhenOnline(() => import("#app/lib/sealing/forget-links.client.ts")),
    importWhenOnline(() => import("#app/features/download/sealed/sinks/stage.ts")),
  ]);
  await Promise.allSettled([forgetLinksOfOthers(userId), tidyStaged()]);
}
