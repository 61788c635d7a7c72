import { requestLocale } from "#domain/locale.ts";
import { formatBytes } from "#domain/units.ts";
import type { MessageName } from "#messages/messages.ts";
import { host } from "./host.ts";

/**
 * A text of the group `thunderbird` in Thunderbird's language.
 * @param values in the order in which the English text has its placeholders
 */
export function t(name: MessageName<"thunderbird">, ...values: string[]): string {
  return host.i18n.getMessage(name, values);
}

/** A size in Thunderbird's language. */
export function shownSize(bytes: number): string {
  return formatBytes(bytes, requestLocale(new Headers({ "accept-language": host.i18n.getUILanguage() })));
}
