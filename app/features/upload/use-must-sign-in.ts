import { useAnonymousUploads, useCurrentUser } from "#app/lib/session.ts";
import { needsAccount } from "./chosen-file.ts";

/** Tells whether whoever has chosen a file has to sign in before it is judged. */
export function useMustSignIn(): (file: File) => boolean {
  const isSignedIn = useCurrentUser() !== null;
  const anonymousUploads = useAnonymousUploads();
  return (file) => !isSignedIn && needsAccount(file, anonymousUploads);
}
