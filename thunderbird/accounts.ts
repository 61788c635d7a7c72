import type { CallAnswer } from "#domain/v1/calls.ts";
import type { Fetch } from "../cli/net/fetch.ts";
import { V1 } from "../cli/net/v1.ts";
import { host } from "./host.ts";

/** An account of Thunderbird's settings that is signed in to a site. */
export interface SignedIn {
  origin: string;
  /** The API key. */
  key: string;
}

export type Me = CallAnswer<"readMe">;

const nameOf = (accountId: string) => `account/${accountId}`;

/** @returns null for an account that is not signed in */
export async function findSignedIn(accountId: string): Promise<SignedIn | null> {
  const name = nameOf(accountId);
  return ((await host.storage.local.get(name))[name] as SignedIn | undefined) ?? null;
}

export async function keepSignedIn(accountId: string, signedIn: SignedIn): Promise<void> {
  await host.storage.local.set({ [nameOf(accountId)]: signedIn });
}

/** Forgets the key of an account. Thunderbird offers an account that is not configured for no attachment. */
export async function forgetSignedIn(accountId: string): Promise<void> {
  await host.storage.local.remove(nameOf(accountId));
  await host.cloudFile.updateAccount(accountId, { configured: false });
}

/** The key alone says who calls, so cookies of the site stay out. */
const fetchPlainly: Fetch = (url, { method, headers, body, signal } = {}) =>
  fetch(url, {
    credentials: "omit",
    cache: "no-store",
    ...(method !== undefined && { method }),
    headers: { ...headers, "accept-language": host.i18n.getUILanguage() },
    ...(body !== undefined && { body: body as BodyInit }),
    ...(signal && { signal }),
  });

/** A client of a site. @param key null for a program that signs in */
export function clientOf(origin: string, key: string | null): V1 {
  return new V1(origin, key, fetchPlainly, {});
}

/**
 * Reads the limits of an account's plan, and tells Thunderbird, which refuses larger attachments by itself.
 * @throws as `V1.call`
 */
export async function refreshLimits(accountId: string, v1: V1): Promise<Me> {
  const me = await v1.call("readMe");
  const { limits, month, key } = me;
  await host.cloudFile.updateAccount(accountId, {
    configured: true,
    uploadSizeLimit: Math.min(limits.fileSize, key.limits.largestFileBytes ?? Infinity),
    spaceUsed: month.bytes,
    spaceRemaining: leftOf(me),
  });
  return me;
}

/** The bytes that the plan and the key still may send this month. */
export function leftOf({ limits, month, key }: Me): number {
  const ofKey = key.limits.monthBytes === null ? Infinity : key.limits.monthBytes - key.monthUsed;
  return Math.max(0, Math.min(limits.monthBytes - month.bytes, ofKey));
}
