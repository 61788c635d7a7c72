import { createContext, useContext } from "react";
import type { CurrentUser } from "#domain/wire.ts";

export type AuthTab = "login" | "register";

export interface AuthRequest {
  tab: AuthTab;
  /** What is asked before the tab is shown. */
  first?: "mailLink" | "reset";
  fileSizeBytes?: number | undefined;
  /** Replaces the default explanation of why an account is needed. */
  reason?: string;
  /** Where a sign-in ends that leaves this page, with its query. Default: this page. */
  returnTo?: string | null;
  /** Runs after the sign-in, once the dialog has closed. */
  onSuccess?: (user: CurrentUser) => void;
}

export const AuthDialogContext = createContext<(request: AuthRequest) => void>(() => undefined);

export function useAuthDialog(): (request: AuthRequest) => void {
  return useContext(AuthDialogContext);
}
