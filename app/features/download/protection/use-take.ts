import { useNavigate, useRevalidator } from "@remix-run/react";
import { startTransition, useCallback, useRef, useState } from "react";
import { ApiError, call } from "#app/lib/api.ts";
import { regionOf } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Locale } from "#domain/locale.ts";
import { changesPage, refusalOf, retryAtOf, type Refusal } from "../refusal.ts";

const BYTES = /^(?:https?:\/\/[^/]+)?([^?]*?)(?:\/entries\/(\d+))?\/content(\?.*)?$/;

export interface TakenLease {
  /** The lease's end, in epoch milliseconds; null for a link whose downloads are not counted. */
  until: number | null;
}

export interface Refused {
  message: string;
  /** When another try is possible, in epoch milliseconds of this browser's clock; null: at once. */
  retryAt: number | null;
  /** The URL that was refused, as `takeUrl` returns it; null if the page did not name a URL. */
  url: string | null;
}

interface Take {
  lease: TakenLease | null;
  refused: Refused | null;
  /** Ends the wait for the password after the grant has ended; null while nothing waits. */
  endLock: ((isUnlocked: boolean) => void) | null;
  /** @param address a URL from `takeUrl` @returns whether the server gave a lease, so that bytes may be read now */
  take(address?: string): Promise<boolean>;
}

/**
 * The page's lease of a link with a download limit, and a function that asks the server for a lease.
 * @param first the refusal of a form that was posted without a script
 * @param unlockAgain unlocks the link without asking; default: a dialog asks for the password
 */
export function useTake(downloadId: string, first: Refusal | null, unlockAgain?: () => Promise<boolean>): Take {
  const t = useMessages("guardedLinks");
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [lease, setLease] = useState<TakenLease | null>(null);
  const [refused, setRefused] = useState<Refused | null>(
    () => first && { message: first.message, retryAt: retryAtOf(first), url: null },
  );
  const [endLock, setEndLock] = useState<Take["endLock"]>(null);
  const running = useRef<Promise<boolean> | null>(null);

  const take = useCallback(
    (url: string | null = null): Promise<boolean> => {
      const waitForPassword = async () => {
        if (unlockAgain) return unlockAgain();
        const { promise, resolve } = Promise.withResolvers<boolean>();
        setEndLock(() => resolve);
        const isUnlocked = await promise;
        setEndLock(null);
        return isUnlocked;
      };
      const refuse = (error: unknown) => {
        const refusal = refusalOf(error, t("notStarted"));
        if (refusal.code === "DOWNLOADS_USED_UP") {
          const search = new URLSearchParams(location.search);
          search.set("refused", refusal.code);
          navigate({ search: `?${search.toString()}`, hash: location.hash }, { replace: true });
        } else if (changesPage(error)) revalidate();
        else {
          const freeAt = error instanceof ApiError ? error.body.freeAt : undefined;
          const message =
            typeof freeAt === "string" ? t("busyUntil", { time: timeOf(freeAt, t.locale) }) : refusal.message;
          startTransition(() => setRefused({ message, retryAt: retryAtOf(refusal), url }));
        }
      };
      const ask = async (): Promise<boolean> => {
        try {
          const { until } = await call("POST /api/files/download/:downloadId/take", { params: { downloadId } });
          // Parts of the page may still wait for their scripts. Outside a transition, React would hide them.
          startTransition(() => {
            setLease({ until: until === null ? null : Date.parse(until) });
            setRefused(null);
          });
          return true;
        } catch (error) {
          if (isLocked(error)) return (await waitForPassword()) && ask();
          refuse(error);
          return false;
        }
      };
      // One call at a time: only the first answer's cookie keeps a second call from taking another lease.
      running.current ??= ask().finally(() => {
        running.current = null;
      });
      return running.current;
    },
    [downloadId, t, navigate, revalidate, unlockAgain],
  );
  return { lease, refused, endLock, take };
}

/** @param moment ISO 8601 or epoch milliseconds @returns the reader's time of day */
export function timeOf(moment: string | number, locale: Locale): string {
  return new Date(moment).toLocaleTimeString(regionOf(locale), { timeStyle: "short" });
}

function isLocked(error: unknown): boolean {
  return error instanceof ApiError && error.body.code === "LINK_LOCKED";
}

/**
 * @param href the URL of a link's bytes: everything, a selection (`?pick=`), or one file of a transfer
 * @returns the path that gives a lease and then these bytes; on this host, whose cookies the call needs
 */
export function takeUrl(href: string): string {
  const [, link = "", entry, query = ""] = BYTES.exec(href) ?? [];
  if (entry === undefined) return `${link}/take${query}`;
  return `${link}/take?entry=${entry}${query.replace("?", "&")}`;
}

/** @param take a path from `takeUrl` @returns the path of its bytes */
export function bytesUrl(take: string): string {
  const { pathname, search, searchParams } = new URL(take, "http://localhost");
  const link = pathname.replace(/\/take$/, "");
  const entry = searchParams.get("entry");
  const query = search.replace(/^\?entry=\d+&?/, "?").replace(/^\?$/, "");
  return entry === null ? `${link}/content${query}` : `${link}/entries/${entry}/content${query}`;
}
