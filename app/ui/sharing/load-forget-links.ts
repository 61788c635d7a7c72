import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

/** In a script of its own, so that every page's first scripts name this one alone. */
export const loadForgetLinks = () => importWhenOnline(() => import("./forget-links.tsx"));

/** Forgets the keys of somebody who has left. @param userId who seems to have left */
export async function forgetKeysOf(userId: string): Promise<void> {
  const { forgetLeft } = await importWhenOnline(() => import("#app/lib/sealing/forget-left.ts"));
  await forgetLeft(userId);
}
