import { requestLocale, type Locale } from "#domain/locale.ts";
import { compiledGroup, translatorFor, type CompiledGroup } from "#messages/compiled.ts";
import type { Group } from "#messages/messages.ts";
import type { Translate } from "#messages/translate.ts";

export { translatorFor };

export interface PageMessages {
  locale: Locale;
  groups: Partial<Record<Group, CompiledGroup>>;
}

/** Loaders return this as `messages`. A route adds its own groups to those of the root route. */
export function loadMessages(request: Request, ...groups: Group[]): PageMessages {
  const locale = requestLocale(request.headers);
  return { locale, groups: Object.fromEntries(groups.map((group) => [group, compiledGroup(locale, group)])) };
}

/** For texts that a loader writes itself, such as the page title. */
export function requestTranslator<G extends Group>(request: Request, group: G): Translate<G> {
  return translatorFor(requestLocale(request.headers), group);
}
