import { useMatches } from "@remix-run/react";
import { createContext, createElement, useContext, useInsertionEffect, useMemo, type ReactNode } from "react";
import { LOCALES, type Locale } from "#domain/locale.ts";
import type { Group } from "#messages/messages.ts";
import { createTranslator, type FindMessages, type Translate } from "#messages/translate.ts";
import type { PageMessages } from "./messages.server.ts";

interface Messages {
  locale: Locale;
  find: FindMessages;
}

const MessagesContext = createContext<Messages>({ locale: LOCALES[0], find: () => null });

/** Every message this document has received, for code outside React. */
let received: PageMessages = { locale: LOCALES[0], groups: {} };

/** @returns a translator, which throws if the messages do not include the group */
export function pageTranslator<G extends Group>({ locale, groups }: PageMessages, group: G): Translate<G> {
  return createTranslator(locale, group, (name) => groups[name] ?? null);
}

export function MessagesProvider({ children }: { children: ReactNode }) {
  const matches = useMatches();
  const { locale, groups } = useMemo(() => mergeMessages(matches.map(({ data }) => data)), [matches]);
  // An insertion effect runs before the children's effects, which may already translate.
  useInsertionEffect(() => {
    saveMessages({ locale, groups });
  }, [locale, groups]);
  const value = useMemo(() => ({ locale, find: (group: Group) => groups[group] ?? null }), [locale, groups]);
  return createElement(MessagesContext.Provider, { value }, children);
}

/** Makes messages available outside React. Discards saved messages of another language. */
export function saveMessages({ locale, groups }: PageMessages): void {
  received = { locale, groups: locale === received.locale ? { ...received.groups, ...groups } : groups };
}

export function receivedMessages(...names: Group[]): PageMessages | null {
  const { locale, groups } = received;
  if (names.some((name) => groups[name] === undefined)) return null;
  return { locale, groups: Object.fromEntries(names.map((name) => [name, groups[name]])) };
}

/** Falls back to earlier messages when every loader has failed, because the error page still needs texts. */
function mergeMessages(routeData: unknown[]): PageMessages {
  const loaded = routeData.map(messagesIn).filter((messages) => messages !== null);
  if (loaded.length === 0) return received;
  return {
    locale: loaded[0]?.locale ?? LOCALES[0],
    groups: loaded.reduce<PageMessages["groups"]>((groups, messages) => ({ ...groups, ...messages.groups }), {}),
  };
}

function messagesIn(data: unknown): PageMessages | null {
  const hasMessages = typeof data === "object" && data !== null && "messages" in data;
  return hasMessages ? (data.messages as PageMessages) : null;
}

export function useMessages<G extends Group>(group: G): Translate<G> {
  const { locale, find } = useContext(MessagesContext);
  return useMemo(() => createTranslator(locale, group, find), [locale, group, find]);
}

export function useLocale(): Locale {
  return useContext(MessagesContext).locale;
}

export function receivedLocale(): Locale {
  return received.locale;
}

/** Whether the document has received messages. Always false on the server. */
export function hasReceivedMessages(): boolean {
  return received.groups.common !== undefined;
}

/** `useMessages` for browser code outside React. */
export function browserTranslator<G extends Group>(group: G): Translate<G> {
  return pageTranslator(received, group);
}
