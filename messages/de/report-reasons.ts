import type { Translated } from "../messages.ts";

export const reportReasons: Translated<"reportReasons"> = {
  malware: "Schadsoftware oder Betrug",
  phishing: "Phishing: fragt unter falschem Namen nach Passwörtern oder Zahlungen",
  illegal: "Illegale Inhalte",
  copyright: "Urheberrecht",
  privacy: "Private Bilder oder Daten",
  "child-abuse": "Sexueller Missbrauch von Kindern",
  other: "Etwas anderes",
};
