import { createContext, useContext } from "react";
import type { CurrentUser } from "#domain/wire.ts";

export type AuthTab = "login" | "register";

export interface AuthRequest {
  tab: AuthTab;
  /** Set when a chosen file waits for the sign-in. */
  fileSizeBytes?: number;
  /** Replaces the default explanation of why an account is needed. */
  reason?: string;
  /** Runs after the sign-in, once the dialog has closed. */
  onSuccess?: (user: CurrentUser) => void;
}

export const AuthDialogContext = createContext<(request: AuthRequest) => void>(() => undefined);

/** Returns a function that opens the sign-in dialog. */
export function useAuthDialog(): (request: AuthRequest) => void {
  return useContext(AuthDialogContext);
}
