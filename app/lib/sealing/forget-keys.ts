import { importWhenOnline } from "../script-loading/scripts.ts";

/** A link is gone, and its keys with it. @param link without a seal it has none */
export async function forgetKeys({ downloadId, seal }: { downloadId: string; seal?: unknown }): Promise<void> {
  if (seal === undefined) return;
  const { forgetLink } = await importWhenOnline(() => import("./kept-links.client.ts"));
  await forgetLink(downloadId);
}
