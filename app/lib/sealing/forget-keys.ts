import { importWhenOnline } from "../script-loading/scripts.ts";

/** Forgets the keys of a deleted link. @param link without `seal`, the link has no keys */
export async function forgetKeys({ downloadId, seal }: { downloadId: string; seal?: unknown }): Promise<void> {
  if (seal === undefined) return;
  const { forgetLink } = await importWhenOnline(() => import("./kept-links.client.ts"));
  await forgetLink(downloadId);
}
