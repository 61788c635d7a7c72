import { createContext, useContext } from "react";
import type { CurrentUser } from "#domain/wire.ts";

export type AuthTab = "login" | "register";

export interface AuthRequest {
  tab: AuthTab;
  /** The form with which the dialog opens instead of `tab`. */
  first?: "mailLink" | "reset";
  fileSizeBytes?: number | undefined;
  /** Replaces the default explanation of why an account is needed. */
  reason?: string;
  /** The path and query to return to after a sign-in on another site. Default: this page. */
  returnTo?: string | null;
  /** Called after the sign-in, once the dialog has closed. */
  onSuccess?: (user: CurrentUser) => void;
}

export const AuthDialogContext = createContext<(request: AuthRequest) => void>(() => undefined);

export function useAuthDialog(): (request: AuthRequest) => void {
  return useContext(AuthDialogContext);
}
