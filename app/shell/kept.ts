import { useEffect } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useCurrentUser } from "#app/lib/session.ts";

export const loadKeeper = () => importWhenOnline(() => import("./keeper.client.ts"));

/** @param what of encrypted links this browser keeps; without it anything. Told without a look into its databases. */
export const keeps = (what = ""): boolean => document.cookie.includes(`keeps-${what}`);

/** Removes what this browser should not keep, when a page is opened and when somebody signs in or leaves. */
export function useTidyKept(): void {
  const userId = useCurrentUser()?.id ?? null;
  useEffect(() => {
    if (!keeps()) return;
    loadKeeper()
      .then(({ tidyKept }) => tidyKept(userId))
      .catch(() => undefined);
  }, [userId]);
}
