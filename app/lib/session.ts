import { useLocation, useNavigate, useRevalidator } from "@remix-run/react";
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { CurrentUser } from "#domain/wire.ts";
import { api, queryKeys } from "./api.ts";
import { useRootData } from "./root-data.ts";

// Cache times and poll intervals: decision 024.
const STALE_MS = MINUTE_MS;
const UPLOAD_PAGE_STALE_MS = 5 * MINUTE_MS;
const UPLOAD_PAGES = ["/chunked-upload", "/direct-upload"];
const POLL_MS = 30 * SECOND_MS;
const POLL_DELAY_MS = 2 * SECOND_MS;
const RETRY_DELAY_MS = SECOND_MS;

const CHANNEL = "session";

function useCurrentUserQuery(polling: boolean) {
  const { pathname } = useLocation();
  const rootData = useRootData();
  return useQuery({
    queryKey: queryKeys.me,
    queryFn: api.me,
    initialData: rootData?.user ?? null,
    staleTime: UPLOAD_PAGES.includes(pathname) ? UPLOAD_PAGE_STALE_MS : STALE_MS,
    refetchOnWindowFocus: "always",
    refetchInterval: polling ? POLL_MS : false,
    retry: 1,
    retryDelay: RETRY_DELAY_MS,
  });
}

export function useCurrentUser(): CurrentUser | null {
  return useCurrentUserQuery(false).data;
}

export function useAnonymousUploads(): boolean {
  return useRootData()?.anonymousUploads ?? false;
}

/** Polls the current user and reloads the page's data when another user is signed in. Use once per document. */
export function useSessionWatch(): void {
  const [polling, setPolling] = useState(false);
  const { data: user } = useCurrentUserQuery(polling);
  const queries = useQueryClient();
  const { revalidate } = useRevalidator();

  useEffect(() => {
    const timer = setTimeout(() => setPolling(true), POLL_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => void queries.invalidateQueries({ queryKey: queryKeys.me });
    return () => channel.close();
  }, [queries]);

  const userId = user?.id ?? null;
  const previousUserId = useRef(userId);
  useEffect(() => {
    if (previousUserId.current === userId) return;
    previousUserId.current = userId;
    removePrivateQueries(queries);
    revalidate();
  }, [userId, queries, revalidate]);
}

/** @returns a function that stores the user, and refetches the user here and in the other tabs */
export function useSignedIn(): (user: CurrentUser) => void {
  const queries = useQueryClient();
  return useCallback(
    (user) => {
      queries.setQueryData(queryKeys.me, user);
      void queries.invalidateQueries({ queryKey: queryKeys.me });
      notifyOtherTabs();
    },
    [queries],
  );
}

/** Clears this browser's data even if the server cannot be reached. */
export function useLogOut(): () => Promise<void> {
  const leave = useLeave();
  return useCallback(async () => {
    try {
      await api.logout();
    } catch (error) {
      console.error("log out failed", error);
    }
    leave();
  }, [leave]);
}

/** For a session that the server has ended: clears all cached data and goes to the home page. */
export function useLeave(): () => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useCallback(() => {
    queries.clear();
    queries.setQueryData(queryKeys.me, null);
    void queries.invalidateQueries({ queryKey: queryKeys.me });
    notifyOtherTabs();
    navigate("/");
  }, [queries, navigate]);
}

function removePrivateQueries(queries: QueryClient): void {
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKeys.me[0] });
}

function notifyOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}
