import { useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { findPendingFile, savePendingFile } from "#app/lib/pending-file.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { parseReturnUrl } from "#domain/return-url.ts";

/** Query parameters of the home page: the dialog tab to open, and the path to go to after the sign-in. */
export const AUTH_PARAM = "auth";
export const RETURN_PARAM = "returnTo";

/** @returns path and query; null for another site's URL, so that a link cannot redirect there */
export function ownPath(path: string | null): string | null {
  const address = path?.startsWith("/") ? parseReturnUrl(path, "http://here.invalid") : null;
  return address && address.pathname + address.search;
}

/** Opens the sign-in dialog that the query names, and goes to the query's `returnTo` after the sign-in. */
export function useSignInUrl(): void {
  const [search] = useSearchParams();
  const change = useSearchChange();
  const openAuth = useAuthDialog();
  const navigate = useNavigate();
  const tab = search.get(AUTH_PARAM);

  useEffect(() => {
    if (tab !== "login" && tab !== "register") return;
    const pending = findPendingFile();
    const returnTo = ownPath(search.get(RETURN_PARAM)) ?? ownPath(pending?.path ?? null);
    openAuth({
      tab,
      returnTo,
      fileSizeBytes: pending?.sizeBytes,
      onSuccess: () => {
        if (pending) savePendingFile({ ...pending, isSignedIn: true });
        if (returnTo !== null) navigate(returnTo);
      },
    });
    change({ [AUTH_PARAM]: null, [RETURN_PARAM]: null });
  }, [tab, search, openAuth, navigate, change]);
}
