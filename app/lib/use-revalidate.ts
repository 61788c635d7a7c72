import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

/**
 * @returns a function that loads the page's data again. If a load is under way, the function waits for its end, because
 * Remix would abort that load, whose unread answer then becomes an unhandled error
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
