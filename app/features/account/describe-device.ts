import { readDevice } from "#domain/device-names.ts";
import type { Translate } from "#messages/translate.ts";

/** @returns for example "Firefox on Windows" */
export function describeDevice(userAgent: string | null, t: Translate<"account">): string {
  const { browser, system } = readDevice(userAgent ?? "");
  if (browser !== null && system !== null) return t("deviceOn", { browser, system });
  return browser ?? system ?? t("unknownDevice");
}
