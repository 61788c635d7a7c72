import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

/**
 * @returns loads the page's data again, after the load that is under way if there is one: Remix would abort that one, and
 *   its unread answer becomes an unhandled error
 */
export function useRevalidate(): () => void {
  const { revalidate, state } = useRevalidator();
  const isIdle = useRef(true);
  const isAsked = useRef(false);
  useEffect(() => {
    isIdle.current = state === "idle";
    if (!isIdle.current || !isAsked.current) return;
    isAsked.current = false;
    revalidate();
  }, [state, revalidate]);
  return useCallback(() => {
    if (isIdle.current) revalidate();
    else isAsked.current = true;
  }, [revalidate]);
}
