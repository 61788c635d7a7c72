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

const REFUSALS: Partial<Record<string, "linkFirst" | "providerTaken" | "addressTaken" | "tryLater">> = {
  LINK_FIRST: "linkFirst",
  PROVIDER_TAKEN: "providerTaken",
  EMAIL_TAKEN: "addressTaken",
  RATE_LIMITED: "tryLater",
};

/** What came of a visit to a provider. @param code of the API @returns null for a code of something else */
export function describeProviderError(code: string | null, t: Translate<"signIn">): string | null {
  return code === null ? null : t(REFUSALS[code] ?? "providerRefused");
}
