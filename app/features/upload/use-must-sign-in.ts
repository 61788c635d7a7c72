import { useAnonymousUploads, useCurrentUser } from "#app/lib/session.ts";
import { needsAccount } from "./chosen-file.ts";

/** @returns whether the person must sign in before their file is checked against a plan */
export function useMustSignIn(): (file: File) => boolean {
  const isSignedIn = useCurrentUser() !== null;
  const anonymousUploads = useAnonymousUploads();
  return (file) => !isSignedIn && needsAccount(file, anonymousUploads);
}
