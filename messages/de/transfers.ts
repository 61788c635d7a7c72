import type { Translated } from "../messages.ts";

export const transfers: Translated<"transfers"> = {
  selectEntry: "{name} auswählen",
  selectFolder: "Alles in {name} auswählen",
  loadingMore: "Weitere Dateien werden geladen…",
};
