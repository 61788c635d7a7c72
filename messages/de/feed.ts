import type { feed as english } from "../en/feed.ts";

export const feed: Record<keyof typeof english, string> = {
  heading: "Downloads dieses Links",
  somebody: "Jemand mit dem Link",
  started: "begonnen um {time}",
  running: "lädt gerade herunter",
  done: "fertig nach {duration}",
  broken: "abgebrochen",
  more: "und {count, plural, one {# weiterer} other {# weitere}}",
};
