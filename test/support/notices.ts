import { vi } from "vitest";
import type { StoredMail } from "./mails.ts";
import { rowOf, runSql, signUp, type Client } from "./worker.ts";

/** An account whose address is verified. Others get no notices. */
export async function signUpVerified(): Promise<Client & { email: string; id: string }> {
  const person = await signUp();
  await runSql("update users set is_verified = 1 where id = ?", person.id);
  return person;
}

export const newAddress = (name = "friend") => `${name}-${crypto.randomUUID()}@example.com`;

/** Downloads, and waits until it is counted. */
export async function download(client: { fetch: Client["fetch"] }, path: string, fileId: string): Promise<void> {
  const find = () => rowOf<{ n: number }>("select download_count as n from files where id = ?", fileId);
  const before = (await find()).n;
  const response = await client.fetch(path);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the download answered ${response.status}`);
  await vi.waitUntil(async () => (await find()).n > before);
}

/** The token in a recipient's link. */
export function tokenIn(text: string): string {
  return /\?for=([\w-]{22})/.exec(text)?.[1] ?? "";
}

/** The last part of the unsubscribe link. */
export function unsubscribeTokenIn({ headers }: StoredMail): string {
  return /<http[^>]*\/unsubscribe\/([^>]+)>/.exec(headers ?? "")?.[1] ?? "";
}
