import { useNavigation, useSearchParams } from "@remix-run/react";
import { useCallback } from "react";

/** New values by parameter name; "" and null remove the parameter. */
export type SearchChange = Record<string, string | null>;

/** @returns a function that changes the URL's query parameters, and shows the first page unless the change names one */
export function useSearchChange(): (change: SearchChange) => void {
  const [, setParams] = useSearchParams();
  return useCallback(
    (change) => {
      const changes: SearchChange = { page: null, cursor: null, ...change };
      setParams(
        (params) => {
          for (const [name, value] of Object.entries(changes)) {
            if (value === null || value === "") params.delete(name);
            else params.set(name, value);
          }
          return params;
        },
        { replace: true, preventScrollReset: true },
      );
    },
    [setParams],
  );
}

export function useIsLoading(): boolean {
  return useNavigation().state === "loading";
}
