import type { Translated } from "../messages.ts";

export const content: Translated<"content"> = {
  lastUpdated: "Zuletzt geändert am <day></day>",
  simplicity: "Einfachheit",
  simplicityText: "Eine Seite, ein Link. Niemand muss etwas installieren, und du musst niemandem etwas erklären.",
  privacy: "Privatsphäre",
  privacyText: "Links, die niemand errät, kein Tracking und ein Ablauf, den du bestimmst. Was weg ist, ist weg.",
  performance: "Tempo",
  performanceText:
    "Dateien gehen direkt in den Speicher, mehrere Teile gleichzeitig. Nach einer Unterbrechung geht es dort weiter, wo es aufgehört hat.",
  community: "Gemeinschaft",
  communityText: "Menschen, die jeden Tag Dateien verschicken, sagen uns, was fehlt. Wir lesen jede Nachricht.",
  getInTouch: "Schreib uns",
  getInTouchText: "Hast du eine Frage, eine Idee oder ein Problem? Wir freuen uns über deine Nachricht.",
  contactUs: "Kontakt aufnehmen",
  importantSections: "Wichtige Abschnitte",
  privacyPolicy: "Datenschutzerklärung",
  contactInformation: "Kontakt",
  accountGuidelines: "Regeln für Konten",
  privacyMatters: "Deine Privatsphäre ist uns wichtig",
  writeTo:
    "Hast du Fragen zu deinen Daten, oder sollen sie berichtigt oder gelöscht werden? Schreib an <address>{email}</address>.",
  policyUpdated: "Diese Erklärung wurde zuletzt am <day></day> geändert.",
};
