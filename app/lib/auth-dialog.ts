import { createContext, useContext } from "react";
import type { CurrentUser } from "#domain/wire.ts";

export type AuthTab = "login" | "register";

export interface AuthRequest {
  tab: AuthTab;
  fileSizeBytes?: number;
  /** Replaces the default explanation of why an account is needed. */
  reason?: string;
  /** Runs after the sign-in, once the dialog has closed. */
  onSuccess?: (user: CurrentUser) => void;
}

export const AuthDialogContext = createContext<(request: AuthRequest) => void>(() => undefined);

export function useAuthDialog(): (request: AuthRequest) => void {
  return useContext(AuthDialogContext);
}
