import { useNavigate, useRevalidator } from "@remix-run/react";
import { useCallback, useRef, useState } from "react";
import { ApiError, call } from "#app/lib/api.ts";
import { regionOf } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Locale } from "#domain/locale.ts";
import { changesPage, refusalOf, retryAtOf, type Refusal } from "../refusal.ts";

const BYTES = /^(?:https?:\/\/[^/]+)?([^?]*?)(?:\/entries\/(\d+))?\/content(\?.*)?$/;

/** What this browser has taken. */
export interface TakenLease {
  /** Epoch milliseconds; null where downloads are not counted. */
  until: number | null;
}

export interface Refused {
  message: string;
  /** Epoch milliseconds by this browser's clock; null: at any time. */
  retryAt: number | null;
  /** What was asked for, as `takeUrl` says it; null if the page did not ask. */
  url: string | null;
}

interface Take {
  lease: TakenLease | null;
  refused: Refused | null;
  /** Ends the wait for the password of a link that is locked again; null if nothing waits. */
  endLock: ((isUnlocked: boolean) => void) | null;
  /** @param address what is asked for @returns whether bytes may be read now */
  take(address?: string): Promise<boolean>;
}

/**
 * Takes downloads of a link.
 * @param first of a form that was posted without a script
 * @param unlockAgain where the page can do it by itself; default: it asks for the password
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
          setRefused({ message, retryAt: retryAtOf(refusal), url });
        }
      };
      const ask = async (): Promise<boolean> => {
        try {
          const { until } = await call("POST /api/files/download/:downloadId/take", { params: { downloadId } });
          setLease({ until: until === null ? null : Date.parse(until) });
          setRefused(null);
          return true;
        } catch (error) {
          if (isLocked(error)) return (await waitForPassword()) && ask();
          refuse(error);
          return false;
        }
      };
      // One at a time: the first answer brings the cookie without which a second call would take another place.
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
 * @param href of a link's bytes: of everything, of a selection (`?pick=`), or of one file of a transfer
 * @returns on this host, since its cookies are needed: the address that takes a download of the link first
 */
export function takeUrl(href: string): string {
  const [, link = "", entry, query = ""] = BYTES.exec(href) ?? [];
  if (entry === undefined) return `${link}/take${query}`;
  return `${link}/take?entry=${entry}${query.replace("?", "&")}`;
}

/** The reverse of `takeUrl`. */
export function bytesUrl(take: string): string {
  const { pathname, search, searchParams } = new URL(take, "http://localhost");
  const link = pathname.replace(/\/take$/, "");
  const entry = searchParams.get("entry");
  const query = search.replace(/^\?entry=\d+&?/, "?").replace(/^\?$/, "");
  return entry === null ? `${link}/content${query}` : `${link}/entries/${entry}/content${query}`;
}
