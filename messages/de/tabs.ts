import type { Translated } from "../messages.ts";

export const dashboard: Translated<"dashboard"> = {
  tabs: "Übersicht",
  files: "Dateien",
  received: "Empfangen",
  requests: "Anfragen",
};
