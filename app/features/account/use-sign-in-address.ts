import { useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { AUTH_PARAM, ownPath, RETURN_PARAM } from "./sign-in-address.ts";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { findPendingFile, savePendingFile } from "#app/lib/pending-file.ts";

/** Opens the sign-in dialog named in the query, and returns to the previous page after the sign-in. */
export function useSignInAddress(): void {
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
      returnTo,
      fileSizeBytes: pending?.sizeBytes,
      onSuccess: () => {
        if (pending) savePendingFile({ ...pending, isSignedIn: true });
        if (returnTo !== null) navigate(returnTo);
      },
    });
    setSearch(
      (params) => {
        params.delete(AUTH_PARAM);
        params.delete(RETURN_PARAM);
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [tab, search, openAuth, navigate, setSearch]);
}
