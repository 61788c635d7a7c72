import { api } from "../api.ts";
import { forgetLinksOf, listKeptLinks } from "./kept-links.client.ts";

/** Forgets the keys of people who have left, once the server says so. @param userId who seems to be signed in */
export async function forgetLinksOfOthers(userId: string | null): Promise<void> {
  const senders = new Set((await listKeptLinks()).map((link) => link.userId));
  const others = [...senders].filter((id) => id !== null && id !== userId);
  if (others.length === 0) return;
  const me = await api.me();
  for (const other of others) if (other !== null && other !== me?.id) await forgetLinksOf(other);
}
