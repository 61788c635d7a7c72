import { useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";

/**
 * What a redirect to the sign-in dialog says of how a sign-in has gone on. It leaves the address, so that the dialog does
 * not say it again when it is next opened.
 */
export function usePassedOn(name: string): string | null {
  const [search, setSearch] = useSearchParams();
  const [value] = useState(() => search.get(name));
  useEffect(() => {
    if (!search.has(name)) return;
    setSearch(
      (params) => {
        params.delete(name);
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [name, search, setSearch]);
  return value;
}
