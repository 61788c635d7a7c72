import { redirect } from "@remix-run/cloudflare";
import type { CurrentUser } from "#domain/wire.ts";
import { AUTH_PARAM, ownPath, RETURN_PARAM } from "./sign-in-address.ts";
import type { AuthTab } from "#app/lib/auth-dialog.ts";

/** Redirects to the home page with the sign-in dialog open, or to `returnTo` if already signed in. */
export async function openDialogAtHome(
  tab: AuthTab,
  request: Request,
  user: Promise<CurrentUser | null>,
): Promise<Response> {
  const returnTo = ownPath(new URL(request.url).searchParams.get(RETURN_PARAM));
  if (await user) return redirect(returnTo ?? "/dashboard");
  const search = new URLSearchParams({ [AUTH_PARAM]: tab, ...(returnTo === null ? {} : { [RETURN_PARAM]: returnTo }) });
  return redirect(`/?${search.toString()}`);
}
