import type { Translated } from "../messages.ts";

export const device: Translated<"device"> = {
  title: "Ein Programm anmelden",
  lead: "Dein Programm zeigt einen Code. Gib ihn hier ein, dann darf das Programm Dateien für dich senden.",
  code: "Code",
  codeHint: "Acht Buchstaben, zum Beispiel BCDF-GHJK.",
  codeWrong: "Gib die acht Buchstaben ein, die das Programm zeigt. Vokale kommen darin nicht vor.",
  next: "Weiter",
  checking: "Wird geprüft\u00a0…",
  tryAgain: "Das hat nicht geklappt. Bitte versuche es noch einmal.",

  confirmTitle: "„{name}“ anmelden?",
  device: "Gerät",
  address: "Seine Adresse",
  askedAt: "Angefragt am",
  may: "{time} lang darf es:",
  warning:
    "Stimme nur zu, wenn du gerade selbst „mayfly login“ eingegeben oder in Thunderbird „Anmelden“ gewählt hast. Hat dir jemand diesen Code geschickt, lehne ab: Er könnte sonst in deinem Namen Dateien senden und löschen.",
  approve: "Anmelden",
  refuse: "Ablehnen",
  working: "Einen Moment\u00a0…",
  other: "Anderen Code eingeben",

  approvedTitle: "„{name}“ ist angemeldet",
  approvedHelp:
    "Das Programm macht in ein paar Sekunden weiter. Du kannst diese Seite schließen. Auf deiner Kontoseite kannst du es wieder abmelden.",
  refusedTitle: "Du hast abgelehnt",
  refusedHelp:
    "Das Programm bekommt nichts. Hat dir jemand den Code geschickt, dann traue auch seinen anderen Codes nicht.",
  account: "Zu deinem Konto",
};
