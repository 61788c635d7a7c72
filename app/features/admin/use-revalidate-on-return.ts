import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Reloads the page's data when the browser tab becomes visible. Redirects to the login if the session has ended. */
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
