import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { openDialogAtHome } from "#app/features/account/sign-in-redirect.server.ts";

export const loader = ({ request, context }: LoaderFunctionArgs) =>
  openDialogAtHome("login", request, context.currentUser());
