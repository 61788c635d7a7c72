/** The order matters: most browsers also name other browsers in their User-Agent. */
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

/** @param userAgent the header @returns for example Firefox and Windows; null for a name that is not in the header */
export function readDevice(userAgent: string): { browser: string | null; system: string | null } {
  const findName = (list: readonly (readonly [RegExp, string])[]) =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  return { browser: findName(BROWSERS), system: findName(SYSTEMS) };
}
