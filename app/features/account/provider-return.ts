import { useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { Translate } from "#messages/translate.ts";

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

/** What came of a visit to a provider. @param code of the API @returns null for a code of something else */
export function describeProviderError(code: string | null, t: Translate<"signIn">): string | null {
  switch (code) {
    case null:
      return null;
    case "LINK_FIRST":
      return t("linkFirst");
    case "PROVIDER_TAKEN":
      return t("providerTaken");
    case "EMAIL_TAKEN":
      return t("addressTaken");
    case "RATE_LIMITED":
      return t("tryLater");
    default:
      return t("providerRefused");
  }
}
