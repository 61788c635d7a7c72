import { useMatches } from "@remix-run/react";
import { createContext, createElement, useContext, useInsertionEffect, useMemo, type ReactNode } from "react";
import { LOCALES, type Locale } from "#domain/locale.ts";
import type { Group } from "#messages/messages.ts";
import { translator, type FindMessages, type Translate } from "#messages/translate.ts";
import type { PageMessages } from "./messages.server.ts";

interface Messages {
  locale: Locale;
  find: FindMessages;
}

const MessagesContext = createContext<Messages>({ locale: LOCALES[0], find: () => null });

/** What the browser has got so far, for code that is no component. */
let current: PageMessages = { locale: LOCALES[0], groups: {} };

/** Says the messages of a group that came with a page: for titles. @throws Error, when asked, where they did not come */
export function sayOf<G extends Group>({ locale, groups }: PageMessages, group: G): Translate<G> {
  return translator(locale, group, (wanted) => groups[wanted] ?? null);
}

/** Gives the page the messages that its routes' loaders brought. */
export function MessagesProvider({ children }: { children: ReactNode }) {
  const matches = useMatches();
  const { locale, groups } = useMemo(() => brought(matches.map(({ data }) => data)), [matches]);
  // Before the effects of what is shown, which may ask for messages.
  useInsertionEffect(() => {
    keepMessages({ locale, groups });
  }, [locale, groups]);
  const value = useMemo(() => ({ locale, find: (group: Group) => groups[group] ?? null }), [locale, groups]);
  return createElement(MessagesContext.Provider, { value }, children);
}

/** Adds messages to those that code outside of components has at hand; another language's replace them. */
export function keepMessages({ locale, groups }: PageMessages): void {
  current = { locale, groups: locale === current.locale ? { ...current.groups, ...groups } : groups };
}

/** What the browser has got of these groups, as a loader hands them over; null where it has not got all of them. */
export function messagesAtHand(...wanted: Group[]): PageMessages | null {
  const { locale, groups } = current;
  if (wanted.some((group) => groups[group] === undefined)) return null;
  return { locale, groups: Object.fromEntries(wanted.map((group) => [group, groups[group]])) };
}

/** A page that could not be loaded brings nothing, not even the root's: what the browser has got so far says so. */
function brought(loaded: unknown[]): PageMessages {
  const all = loaded.map(messagesIn).filter((found) => found !== null);
  if (all.length === 0) return current;
  return {
    locale: all[0]?.locale ?? LOCALES[0],
    groups: all.reduce<PageMessages["groups"]>((groups, found) => ({ ...groups, ...found.groups }), {}),
  };
}

function messagesIn(data: unknown): PageMessages | null {
  const isThere = typeof data === "object" && data !== null && "messages" in data;
  return isThere ? (data.messages as PageMessages) : null;
}

/** Says the messages of a group, in the reader's language. */
export function useMessages<G extends Group>(group: G): Translate<G> {
  const { locale, find } = useContext(MessagesContext);
  return useMemo(() => translator(locale, group, find), [locale, group, find]);
}

/** The language of the page. */
export function useLocale(): Locale {
  return useContext(MessagesContext).locale;
}

/** The language of the last page that came, for the document's frame. */
export function lastLocale(): Locale {
  return current.locale;
}

/** Whether the browser has got any messages so far; the server never has. */
export function hasWords(): boolean {
  return current.groups.common !== undefined;
}

/** The same as useMessages, for code that runs in the browser alone and is no component. */
export function messagesOf<G extends Group>(group: G): Translate<G> {
  return translator(current.locale, group, (wanted) => current.groups[wanted] ?? null);
}
