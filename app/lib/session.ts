import { useLocation, useNavigate, useRevalidator, useRouteLoaderData } from "@remix-run/react";
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { CurrentUser } from "#domain/wire.ts";
import { api, queryKeys } from "./api.ts";
import type { loader } from "#app/root.tsx";

/** Who is signed in is cached for a minute and asked for every half, from two seconds after the page is there (specification 1 section 7). */
const CACHED_MS = MINUTE_MS;
/** On the upload pages it is cached longer (specification 2 section 7). */
const UPLOAD_PAGE_CACHED_MS = 5 * MINUTE_MS;
const UPLOAD_PAGES = ["/chunked-upload", "/direct-upload"];
const POLL_MS = 30 * SECOND_MS;
const POLL_DELAY_MS = 2 * SECOND_MS;
const RETRY_DELAY_MS = SECOND_MS;

/** Tells this browser's other tabs that somebody signed in or out. */
const CHANNEL = "session";

function useMe(polling: boolean) {
  const { pathname } = useLocation();
  const root = useRouteLoaderData<typeof loader>("root");
  return useQuery({
    queryKey: queryKeys.me,
    queryFn: api.me,
    initialData: root?.user ?? null,
    staleTime: UPLOAD_PAGES.includes(pathname) ? UPLOAD_PAGE_CACHED_MS : CACHED_MS,
    refetchOnWindowFocus: "always",
    refetchInterval: polling ? POLL_MS : false,
    retry: 1,
    retryDelay: RETRY_DELAY_MS,
  });
}

/** Who is signed in: what the document said at first, then what the server says. */
export function useCurrentUser(): CurrentUser | null {
  return useMe(false).data;
}

/** Whether this deployment takes files without an account. */
export function useAnonymousUploads(): boolean {
  return useRouteLoaderData<typeof loader>("root")?.anonymousUploads ?? false;
}

/** Keeps an eye on the session for the whole page; used once. A change of person reloads what the page shows. */
export function useSessionWatch(): void {
  const [polling, setPolling] = useState(false);
  const { data: user } = useMe(polling);
  const queries = useQueryClient();
  const { revalidate } = useRevalidator();

  useEffect(() => {
    const timer = setTimeout(() => {
      setPolling(true);
    }, POLL_DELAY_MS);
    return () => {
      clearTimeout(timer);
    };
  }, []);

  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => void queries.invalidateQueries({ queryKey: queryKeys.me });
    return () => {
      channel.close();
    };
  }, [queries]);

  const userId = user?.id ?? null;
  const shown = useRef(userId);
  useEffect(() => {
    if (shown.current === userId) return;
    shown.current = userId;
    forgetPrivateData(queries);
    revalidate();
  }, [userId, queries, revalidate]);
}

/** After a sign-in: everything that depends on the person is asked for anew, here and in the other tabs. */
export function useSignedIn(): (user: CurrentUser) => void {
  const queries = useQueryClient();
  return useCallback(
    (user) => {
      queries.setQueryData(queryKeys.me, user);
      void queries.invalidateQueries({ queryKey: queryKeys.me });
      tellOtherTabs();
    },
    [queries],
  );
}

/** Ends the session on the server, forgets everything that was cached, and goes home. */
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

/** Forgets everything that was cached, asks who is signed in, and goes home: the session has ended. */
export function useLeave(): () => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useCallback(() => {
    queries.clear();
    queries.setQueryData(queryKeys.me, null);
    void queries.invalidateQueries({ queryKey: queryKeys.me });
    tellOtherTabs();
    navigate("/");
  }, [queries, navigate]);
}

function forgetPrivateData(queries: QueryClient): void {
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKeys.me[0] });
}

function tellOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}
