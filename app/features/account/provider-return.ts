import { useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import { useSearchChange } from "#app/lib/search-params.ts";
import type { Translate } from "#messages/translate.ts";

/**
 * What a redirect says of how a sign-in, or the connecting of a provider, has gone on. It leaves the address, so that the
 * page does not say it again when it is next opened.
 */
export function usePassedOn(name: string): string | null {
  const [search] = useSearchParams();
  const change = useSearchChange();
  const [value] = useState(() => search.get(name));
  useEffect(() => {
    if (search.has(name)) change({ [name]: null });
  }, [name, search, change]);
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
