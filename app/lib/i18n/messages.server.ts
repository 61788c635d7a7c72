import { requestLocale, type Locale } from "#domain/locale.ts";
import { compiledGroup, translatorFor, type CompiledGroup } from "#messages/compiled.ts";
import type { Group } from "#messages/messages.ts";
import type { Translate } from "#messages/translate.ts";
import { titled } from "../page-title.ts";

export { translatorFor };

export interface PageMessages {
  locale: Locale;
  groups: Partial<Record<Group, CompiledGroup>>;
}

/** Loaders return the result as `messages`. A route adds its own groups to those of the root route. */
export function loadMessages(request: Request, ...groups: Group[]): PageMessages {
  const locale = requestLocale(request.headers);
  return { locale, groups: Object.fromEntries(groups.map((group) => [group, compiledGroup(locale, group)])) };
}

/** Loads a page's messages and document title. @param titleOf writes the title with the first group's messages */
export function loadTexts<G extends Group>(
  request: Request,
  titleOf: (t: Translate<G>) => string,
  ...groups: [G, ...Group[]]
) {
  const title = titled(titleOf(requestTranslator(request, groups[0])));
  return { title, messages: loadMessages(request, ...groups) };
}

/** Translates texts that a loader writes itself, such as the page title. */
export function requestTranslator<G extends Group>(request: Request, group: G): Translate<G> {
  return translatorFor(requestLocale(request.headers), group);
}
