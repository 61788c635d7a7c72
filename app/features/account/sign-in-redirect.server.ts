import { redirect } from "@remix-run/cloudflare";
import type { CurrentUser } from "#domain/wire.ts";
import { AUTH_PARAM, ownPath, RETURN_PARAM } from "./sign-in-url.ts";
import type { AuthTab } from "#app/lib/auth-dialog.ts";

/** Query parameters that tell the dialog how a sign-in at a provider ended. */
const PASSED_ON = ["error", "secondFactor"];

/** Redirects to the home page with the sign-in dialog open, or, for a signed-in user, to `returnTo`. */
export async function openDialogAtHome(
  tab: AuthTab,
  request: Request,
  user: Promise<CurrentUser | null>,
): Promise<Response> {
  const asked = new URL(request.url).searchParams;
  const returnTo = ownPath(asked.get(RETURN_PARAM));
  if (await user) return redirect(returnTo ?? "/dashboard");
  const search = new URLSearchParams({ [AUTH_PARAM]: tab, ...(returnTo === null ? {} : { [RETURN_PARAM]: returnTo }) });
  for (const name of PASSED_ON) {
    const value = asked.get(name);
    if (value !== null) search.set(name, value);
  }
  return redirect(`/?${search.toString()}`);
}
