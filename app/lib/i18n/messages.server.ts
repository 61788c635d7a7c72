import { localeIn, type Locale } from "#domain/locale.ts";
import { compiledGroup, type CompiledGroup } from "#messages/compiled.ts";
import type { Group } from "#messages/messages.ts";
import { translator, type Translate } from "#messages/translate.ts";

/** Messages that come with a page, in the language that its reader wants. */
export interface PageMessages {
  locale: Locale;
  groups: Partial<Record<Group, CompiledGroup>>;
}

/** A loader hands them over as `messages`: the groups that its route needs beside the root's. */
export function messagesFor(request: Request, ...groups: Group[]): PageMessages {
  const locale = localeIn(request.headers);
  return { locale, groups: Object.fromEntries(groups.map((group) => [group, compiledGroup(locale, group)])) };
}

/** Says the messages of a group in the language that a request's sender wants: for titles. */
export function sayFor<G extends Group>(request: Request, group: G): Translate<G> {
  return translatorFor(localeIn(request.headers), group);
}

/** Says the messages of a group in that language. */
export function translatorFor<G extends Group>(locale: Locale, group: G): Translate<G> {
  return translator(locale, group, (wanted) => compiledGroup(locale, wanted));
}
