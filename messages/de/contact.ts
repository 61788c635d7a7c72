import type { Translated } from "../messages.ts";

export const contact: Translated<"contact"> = {
  title: "Schreib uns",
  lead: "Hast du eine Frage, eine Idee oder ein Problem? Wir freuen uns über deine Nachricht.",
  officeHours: "Bürozeiten",
  officeHoursText: "Montag bis Freitag: 9 bis 17 Uhr (EST), am Wochenende geschlossen",
  name: "Name",
  email: "E-Mail-Adresse",
  subject: "Betreff",
  message: "Nachricht",
  atMost: "Bis zu {count, number} Zeichen.",
  send: "Nachricht senden",
  sending: "Wird gesendet\u00a0…",
  sent: "Nachricht gesendet",
  sentText: "Deine Nachricht wurde gesendet. Wir melden uns bald bei dir!",
  notSent: "Nachricht nicht gesendet",
  notSentText: "Beim Senden deiner Nachricht ist ein Fehler aufgetreten. Bitte versuche es noch einmal.",
  needHelp: "Brauchst du Hilfe?",
  needHelpText:
    "Vielleicht steht die Antwort schon bei den <questions>Fragen und Antworten</questions>. Du kannst auch an <address>{email}</address> schreiben.",
};
