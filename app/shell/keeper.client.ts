import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

// A script of its own without imports, so that every page's first scripts name this one alone.

export const loadForgetLinks = () => importWhenOnline(() => import("#app/ui/sharing/forget-links.tsx"));

/** Removes what this browser should not keep: keys of people who have left, and opened files that have been saved. */
export async function tidyKept(userId: string | null): Promise<void> {
  const [{ forgetLinksOfOthers }, { tidyStaged }] = await Promise.all([
    importWhenOnline(() => import("#app/lib/sealing/forget-links.client.ts")),
    importWhenOnline(() => import("#app/features/download/sealed/sinks/stage.ts")),
  ]);
  await Promise.allSettled([forgetLinksOfOthers(userId), tidyStaged()]);
}
