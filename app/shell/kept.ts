import { useEffect } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useCurrentUser } from "#app/lib/session.ts";

export const loadKeeper = () => importWhenOnline(() => import("./keeper.client.ts"));

/** Whether this browser keeps data of sealed links, by its cookie `keeps-KIND`. @param what the kind; default: any kind */
export const keeps = (what = ""): boolean => document.cookie.includes(`keeps-${what}`);

/** Removes data that this browser should no longer keep, on opening a page and when the account changes. */
export function useTidyKept(): void {
  const userId = useCurrentUser()?.id ?? null;
  useEffect(() => {
    if (!keeps()) return;
    loadKeeper()
      .then(({ tidyKept }) => tidyKept(userId))
      .catch(() => undefined);
  }, [userId]);
}
