import { useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";

/**
 * What a redirect says of how a sign-in, or the connecting of a provider, has gone on. It leaves the address, so that the
 * page does not say it again when it is next opened.
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
