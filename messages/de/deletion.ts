import type { Translated } from "../messages.ts";

export const deletion: Translated<"deletion"> = {
  title: "Wirklich löschen?",
  lead: "Der Link zu „{name}“ funktioniert dann sofort nicht mehr, und die Daten werden gelöscht. Das lässt sich nicht rückgängig machen.",
  confirm: "Endgültig löschen",
  gone: "Hier gibt es nichts zu löschen",
  goneHelp: "Die Datei ist schon gelöscht, oder die Adresse ist nicht vollständig.",
};
