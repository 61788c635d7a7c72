import type { Translate } from "#messages/translate.ts";

/** Looked for in this order: most browsers name others too. */
const BROWSERS = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;
const SYSTEMS = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "Mac"],
  [/Linux|X11/, "Linux"],
] as const;

/** A User-Agent as a person would say it: "Firefox on Windows". */
export function describeDevice(userAgent: string | null, t: Translate<"account">): string {
  const named = (list: readonly (readonly [RegExp, string])[]) =>
    list.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const browser = named(BROWSERS);
  const system = named(SYSTEMS);
  if (browser && system) return t("deviceOn", { browser, system });
  return browser ?? system ?? t("unknownDevice");
}
