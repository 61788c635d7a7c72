import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Whoever comes back to the page sees what is true now; where the session has ended meanwhile, the login. */
export function useRevalidateOnReturn(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const onChange = () => {
      if (document.visibilityState === "visible") revalidate();
    };
    document.addEventListener("visibilitychange", onChange);
    return () => {
      document.removeEventListener("visibilitychange", onChange);
    };
  }, [revalidate]);
}
