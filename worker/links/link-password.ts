import { normalizeLinkPassword } from "#domain/guards/link-guards.ts";
import type { Services } from "../services.ts";

/** @param password as `linkPassword` accepts it @returns the hash that accounts have */
export async function hashLinkPassword({ auth }: Services, password: string): Promise<string> {
  const { password: hashing } = await auth.$context;
  return hashing.hash(normalizeLinkPassword(password) ?? password);
}

/** Takes some 80 ms of CPU, unless the length alone is wrong. An isolate checks one password at a time. */
export async function isLinkPassword({ auth }: Services, hash: string, password: string): Promise<boolean> {
  const normalized = normalizeLinkPassword(password);
  if (normalized === null) return false;
  const { password: hashing } = await auth.$context;
  return hashing.verify({ hash, password: normalized });
}
