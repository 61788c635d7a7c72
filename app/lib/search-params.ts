import { useNavigation, useSearchParams } from "@remix-run/react";
import { useCallback } from "react";

/** Changes of the address, by name; "" and null leave a name out. */
export type SearchChange = Record<string, string | null>;

/** Changes what the address asks for, which is what is shown. A change without a page goes to the first one. */
export function useSearchChange(): (change: SearchChange) => void {
  const [, setParams] = useSearchParams();
  return useCallback(
    (change) => {
      const wanted: SearchChange = { page: null, ...change };
      setParams(
        (now) => {
          for (const [name, value] of Object.entries(wanted)) {
            if (value === null || value === "") now.delete(name);
            else now.set(name, value);
          }
          return now;
        },
        { replace: true, preventScrollReset: true },
      );
    },
    [setParams],
  );
}

/** Whether what is shown is about to be replaced. */
export function useIsLoading(): boolean {
  return useNavigation().state === "loading";
}
