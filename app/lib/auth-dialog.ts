import { createContext, useContext } from "react";
import type { CurrentUser } from "#domain/wire.ts";

export type AuthTab = "login" | "register";

export interface AuthRequest {
  tab: AuthTab;
  /** The size of a file that waits for the sign-in, bytes. */
  fileSizeBytes?: number;
  /** Why somebody has to sign in, in place of the usual words. */
  reason?: string;
  /** Called instead of just closing, with whoever has signed in. */
  onSuccess?: (user: CurrentUser) => void;
}

export const AuthDialogContext = createContext<(request: AuthRequest) => void>(() => undefined);

/** Opens the sign-in dialog. */
export function useAuthDialog(): (request: AuthRequest) => void {
  return useContext(AuthDialogContext);
}
