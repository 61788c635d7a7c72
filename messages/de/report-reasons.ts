import type { Translated } from "../messages.ts";

export const reportReasons: Translated<"reportReasons"> = {
  malware: "Schadsoftware oder Betrug",
  illegal: "Illegale Inhalte",
  copyright: "Urheberrecht",
  privacy: "Private Daten",
  other: "Etwas anderes",
};
