import { useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { AUTH_PARAM, ownPath, RETURN_PARAM } from "./sign-in-address.ts";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { findPendingFile, savePendingFile } from "#app/lib/pending-file.ts";

/** Opens the sign-in dialog when the home page's address asks for it, and goes back to where the person was. */
export function useAuthAddress(): void {
  const [search, setSearch] = useSearchParams();
  const openAuth = useAuthDialog();
  const navigate = useNavigate();
  const tab = search.get(AUTH_PARAM);

  useEffect(() => {
    if (tab !== "login" && tab !== "register") return;
    const pending = findPendingFile();
    const returnTo = ownPath(search.get(RETURN_PARAM)) ?? ownPath(pending?.path ?? null);
    openAuth({
      tab,
      ...(pending ? { fileSizeBytes: pending.sizeBytes } : {}),
      onSuccess: () => {
        if (pending) savePendingFile({ ...pending, isSignedIn: true });
        if (returnTo !== null) navigate(returnTo);
      },
    });
    setSearch(
      (now) => {
        now.delete(AUTH_PARAM);
        now.delete(RETURN_PARAM);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [tab, search, openAuth, navigate, setSearch]);
}
