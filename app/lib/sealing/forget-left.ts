import { api } from "../api.ts";
import { forgetLinksOf } from "./kept-links.ts";

/** Forgets the keys of somebody who has left, once the server says so. @param userId who seems to have left */
export async function forgetLeft(userId: string): Promise<void> {
  const me = await api.me();
  if (me?.id !== userId) await forgetLinksOf(userId);
}
