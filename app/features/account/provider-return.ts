import { useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import { useSearchChange } from "#app/lib/search-params.ts";
import type { Translate } from "#messages/translate.ts";

/**
 * Reads a query parameter in which the server reports how a sign-in at a provider ended. Removes the parameter from the
 * URL, so that a reload does not show the report again.
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

const REFUSALS = new Map<string, "linkFirst" | "providerTaken" | "addressTaken" | "tryLater">([
  ["LINK_FIRST", "linkFirst"],
  ["PROVIDER_TAKEN", "providerTaken"],
  ["EMAIL_TAKEN", "addressTaken"],
  ["RATE_LIMITED", "tryLater"],
]);

/** The message for a failed visit to a provider. @param code the API's error code @returns null without a code */
export function describeProviderError(code: string | null, t: Translate<"signIn">): string | null {
  return code === null ? null : t(REFUSALS.get(code) ?? "providerRefused");
}
