import type { Locale } from "#domain/locale.ts";
import { compiledGroup } from "#messages/compiled.ts";
import type { Group } from "#messages/messages.ts";
import { translator, type Translate } from "#messages/translate.ts";

/** Says the messages of a group in that language. */
export function translatorFor<G extends Group>(locale: Locale, group: G): Translate<G> {
  return translator(locale, group, (wanted) => compiledGroup(locale, wanted));
}
