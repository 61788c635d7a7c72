import type { Translate } from "#messages/translate.ts";

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
