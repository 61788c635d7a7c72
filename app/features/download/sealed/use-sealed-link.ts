import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, api } from "#app/lib/api.ts";
import { manifestCalls } from "#app/lib/sealing/manifest-calls.ts";
import { hashPassword } from "#app/lib/sealing/password-hash.ts";
import { useRevalidate } from "#app/lib/use-revalidate.ts";
import { toBase64url } from "#domain/bytes-as-text.ts";
import type { Fragment } from "#domain/seal/fragment.ts";
import { unwrapSecret, type Bytes, type ContentKeys } from "#domain/seal/keys.ts";
import { openManifest, type Manifest } from "#domain/seal/manifest.ts";
import { SealError, type SealProblem } from "#domain/seal/seal-error.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { LockedSeal, OpenedSeal } from "#domain/wire.ts";
import { accessOf, bytesOf } from "#engine/sealing/link-keys.ts";
import { pause } from "#engine/timing.ts";
import { refusalOf, changesPage } from "../refusal.ts";

const RETRY_MS = 5 * SECOND_MS;
/** The most tries to unlock a link again, one every 5 s: 15 minutes. */
const MAX_TRIES = 180;

export type LinkFailure = { problem: SealProblem | "notUnlocked" } | { problem: "refused"; message: string };

interface LinkState {
  link: OpenedSealedLink | null;
  failure: LinkFailure | null;
  /** Whether the sender changed the password while the page was open. */
  isLockedAgain: boolean;
}

interface SealedLinkState extends LinkState {
  /** Unlocks the link with a password. @throws ApiError, SealError */
  unlock(password: string): Promise<void>;
  /** Unlocks the link again, and reads its newest list of files. @returns whether the link is open */
  unlockAgain(): Promise<boolean>;
  /** Unlocks the link again. @returns the newest list of files; null if it cannot be read */
  readNewestList(): Promise<Manifest | null>;
  /** Opens the link again after a failure. */
  retry(): void;
}

/**
 * Opens a sealed link with the key in the URL's fragment, at once if the link has no password.
 * @param fragment null until the browser has read the URL @param seal the public data of the link
 * @param isLocked whether files need a new grant @param revision of the newest list; null if unknown
 */
export function useSealedLink(
  downloadId: string,
  fragment: Fragment | null,
  seal: Pick<LockedSeal, "salt" | "kdf"> | undefined,
  { isLocked, revision }: { isLocked: boolean; revision: number | null },
): SealedLinkState {
  const revalidate = useRevalidate();
  const [state, setState] = useState<LinkState>({ link: null, failure: null, isLockedAgain: false });
  const opened = useRef<OpenedSealedLink | null>(null);

  const setLink = useCallback((link: OpenedSealedLink) => {
    opened.current = link;
    setState((before) => ({ ...before, link, failure: null, isLockedAgain: false }));
  }, []);
  const fail = useCallback(
    (error: unknown) => {
      if (changesPage(error)) revalidate();
      setState((before) => ({ ...before, failure: failureOf(error) }));
    },
    [revalidate],
  );

  const { link, failure } = state;
  const salt = seal?.salt;
  const needsPassword = seal?.kdf !== undefined;
  useEffect(() => {
    if (!fragment || link || failure || salt === undefined || needsPassword) return;
    let isOver = false;
    openSealedLink(downloadId, fragment, { salt }, "").then(
      (found) => {
        if (isOver) return;
        setLink(found);
        revalidate();
      },
      async (error: unknown) => {
        // The sender may have set a password after the page was loaded.
        const hasPassword = isRefused(error) && (await newestSeal(downloadId))?.kdf !== undefined;
        if (isOver) return;
        if (hasPassword) revalidate();
        else fail(error);
      },
    );
    return () => {
      isOver = true;
    };
  }, [downloadId, fragment, salt, needsPassword, link, failure, setLink, fail, revalidate]);

  const reopen = useCallback(async () => {
    if (!opened.current || !navigator.cookieEnabled) return null;
    try {
      const newest = await untilAnswered(downloadId, opened.current);
      setLink(newest);
      return newest;
    } catch (error) {
      if (isRefused(error)) {
        opened.current = null;
        setState({ link: null, failure: null, isLockedAgain: true });
        revalidate();
      } else if (error instanceof SealError) fail(error);
      return null;
    }
  }, [downloadId, setLink, fail, revalidate]);
  const unlockAgain = useCallback(async () => (await reopen()) !== null, [reopen]);
  const readNewestList = useCallback(async () => (await reopen())?.manifest ?? null, [reopen]);

  // Whether the grant has ended, or the sender has sent a newer list.
  const isBehind = link !== null && (isLocked || (revision !== null && revision > link.revision));
  const tried = useRef("");
  useEffect(() => {
    const now = `${isLocked}/${revision}/${link?.revision}`;
    if (!isBehind || tried.current === now) return;
    tried.current = now;
    void unlockAgain().then((isOpen) => {
      if (isOpen && isLocked) revalidate();
    });
  }, [isBehind, isLocked, revision, link, unlockAgain, revalidate]);

  return {
    ...state,
    unlock: async (password) => {
      if (!fragment || !seal) return;
      try {
        setLink(await openWithNewest(downloadId, fragment, seal, password));
      } catch (error) {
        // The form shows wrong passwords and waits. Other failures replace the form.
        if (error instanceof SealError) fail(error);
        throw error;
      }
    },
    unlockAgain,
    readNewestList,
    retry: () => setState((before) => ({ ...before, failure: null })),
  };
}

/** Whether the server refused a wrong key, password or access. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

/** Tries with the newest salt too, because an old salt makes the right password fail. @throws as `openSealedLink` */
async function openWithNewest(
  downloadId: string,
  fragment: Fragment,
  seal: Pick<LockedSeal, "salt" | "kdf">,
  password: string,
): Promise<OpenedSealedLink> {
  try {
    return await openSealedLink(downloadId, fragment, seal, password);
  } catch (error) {
    const newest = isRefused(error) ? await newestSeal(downloadId) : null;
    if (!newest || (newest.salt === seal.salt && newest.kdf?.salt === seal.kdf?.salt)) throw error;
    return openSealedLink(downloadId, fragment, newest, password);
  }
}

/** Unlocks the link again, with retries, because a download may wait for the link. @throws as `reopenSealedLink` */
async function untilAnswered(downloadId: string, link: OpenedSealedLink): Promise<OpenedSealedLink> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await reopenSealedLink(downloadId, link);
    } catch (error) {
      const isPassing =
        error instanceof TypeError || (error instanceof ApiError && (error.status === 429 || error.status >= 500));
      if (!isPassing || tries === MAX_TRIES) throw error;
      const { waitSeconds } = refusalOf(error, "");
      await pause(waitSeconds === null ? RETRY_MS : waitSeconds * SECOND_MS, new AbortController().signal);
    }
  }
}

function failureOf(error: unknown): LinkFailure {
  if (error instanceof SealError) return { problem: error.problem };
  if (!(error instanceof ApiError)) return { problem: "notUnlocked" };
  if (error.status === 403) return { problem: "wrongKey" };
  return error.status === 429 ? { problem: "refused", message: error.message } : { problem: "notUnlocked" };
}

/** A browser's data of an opened sealed link. Only `access` is ever sent to the server. */
export interface OpenedSealedLink {
  access: Bytes;
  /** Empty for a link without a password. */
  password: string;
  keys: ContentKeys;
  manifest: Manifest;
  revision: number;
}

/** Unlocks a link and decrypts its list of files. @throws ApiError, 403 for a wrong key or password; SealError */
async function openSealedLink(
  downloadId: string,
  { linkSecret }: Fragment,
  locked: Pick<LockedSeal, "salt" | "kdf">,
  password: string,
): Promise<OpenedSealedLink> {
  const linkKeys = await accessOf(hashPassword, linkSecret, locked, password);
  const opened = await manifestCalls.unlock(downloadId, toBase64url(linkKeys.access));
  const { keys } = await unwrapSecret(bytesOf(opened.wrap), linkKeys, bytesOf(locked.salt), bytesOf(opened.commitment));
  const { access } = linkKeys;
  return { access, password, keys, ...(await readManifest(keys, opened)) };
}

/** Unlocks the link again, and reads its newest list. @throws as `openSealedLink` */
async function reopenSealedLink(downloadId: string, link: OpenedSealedLink): Promise<OpenedSealedLink> {
  const opened = await manifestCalls.unlock(downloadId, toBase64url(link.access));
  // Revisions only grow, so an older list is a mistake or an attack of the server.
  if (opened.revision <= link.revision) return link;
  return { ...link, ...(await readManifest(link.keys, opened)) };
}

/** The link's newest public data. @returns null if the server does not send it */
async function newestSeal(downloadId: string): Promise<Pick<LockedSeal, "salt" | "kdf"> | null> {
  try {
    return (await api.downloadInfo(downloadId)).seal ?? null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.body.guard !== "sealed") return null;
    return error.body as unknown as LockedSeal;
  }
}

async function readManifest(
  keys: ContentKeys,
  { revision, manifest }: OpenedSeal,
): Promise<Pick<OpenedSealedLink, "manifest" | "revision">> {
  return { revision, manifest: await openManifest(keys, revision, bytesOf(manifest)) };
}
