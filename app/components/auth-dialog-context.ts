import { createContext, useContext } from "react";

export type AuthTab = "login" | "register";

export interface AuthRequest {
  tab: AuthTab;
  /** The size of a file that waits for the sign-in, bytes. */
  fileSizeBytes?: number;
  /** Why somebody has to sign in, in place of the usual words. */
  reason?: string;
  /** Called instead of just closing, once somebody has signed in. */
  onSuccess?: () => void;
}

export const AuthDialogContext = createContext<(request: AuthRequest) => void>(() => undefined);

/** Opens the sign-in dialog. */
export function useAuthDialog(): (request: AuthRequest) => void {
  return useContext(AuthDialogContext);
}
