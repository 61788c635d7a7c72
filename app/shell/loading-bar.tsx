import { useNavigation } from "@remix-run/react";

/** Along the top of the window while the next page loads. Its text follows: `PageAnnouncer` says the new title. */
export function LoadingBar() {
  const { state } = useNavigation();
  return state === "idle" ? null : <div aria-hidden className="loading-bar" />;
}
