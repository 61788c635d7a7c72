import { useAnonymousUploads, useCurrentUser } from "#app/lib/session.ts";
import { needsAccount } from "./chosen-file.ts";

export function useMustSignIn(): (file: File) => boolean {
  const isSignedIn = useCurrentUser() !== null;
  const anonymousUploads = useAnonymousUploads();
  return (file) => !isSignedIn && needsAccount(file, anonymousUploads);
}
