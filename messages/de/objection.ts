import type { Translated } from "../messages.ts";

export const objection: Translated<"objection"> = {
  title: "Einer Entscheidung widersprechen",
  leadSuspended: "Wir haben das Konto {about} gesperrt.",
  leadTakenDown: "Wir haben {about} entfernt.",
  leadDismissed: "Du hast {about} gemeldet, und wir haben es so gelassen, wie es ist.",
  decidedOn: "Entschieden am {date}.",
  reasonWas: "Die Begründung: „{reason}“",
  why: "Warum ist das falsch?",
  whyHint: "Das liest ein Mensch. Die Antwort bekommst du per E-Mail.",
  send: "Widerspruch senden",
  sending: "Wird gesendet\u00a0…",
  notSent: "Nicht gesendet",
  notSentHelp: "Bitte versuche es gleich noch einmal.",
  sentTitle: "Dein Widerspruch ist bei uns",
  sentLead: "Ein Mensch sieht sich die Entscheidung noch einmal an und schreibt dir.",
  unknownTitle: "Dieser Link gilt nicht",
  unknownLead: "Vielleicht ist er unvollständig, oder die sechs Monate sind um.",
  busyTitle: "Einen Moment",
  contact: "Du kannst uns jederzeit schreiben.",
};
