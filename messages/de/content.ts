import type { Translated } from "../messages.ts";

export const content: Translated<"content"> = {
  lastUpdated: "Zuletzt geändert am <day></day>",
  simplicity: "Einfachheit",
  simplicityText: "Eine Karte, ein Link. Nichts zu installieren, und nichts zu erklären für alle, die ihn bekommen.",
  privacy: "Privatsphäre",
  privacyText: "Ein Link, den niemand errät, keine Verfolgung, und ein Ende, das du bestimmst. Was weg ist, ist weg.",
  performance: "Tempo",
  performanceText:
    "Dateien reisen geradewegs in den Speicher, mehrere Teile zugleich, und machen dort weiter, wo sie aufgehört haben.",
  community: "Gemeinschaft",
  communityText: "Leute, die jeden Tag Dateien verschicken, sagen uns, was fehlt. Wir lesen jede Nachricht.",
  getInTouch: "Schreib uns",
  getInTouchText: "Eine Frage, eine Idee, etwas, das nicht funktioniert? Wir wüssten es gern.",
  contactUs: "Kontakt aufnehmen",
  importantSections: "Wichtige Abschnitte",
  privacyPolicy: "Datenschutzerklärung",
  contactInformation: "Kontakt",
  accountGuidelines: "Regeln für Konten",
  privacyMatters: "Deine Privatsphäre zählt",
  writeTo:
    "Fragen zu deinen Daten, oder soll etwas berichtigt oder gelöscht werden? Schreib an <address>{email}</address>.",
  policyUpdated: "Diese Erklärung wurde zuletzt am <day></day> geändert.",
};
