import type { Translated } from "../messages.ts";

export const contact: Translated<"contact"> = {
  title: "Schreib uns",
  lead: "Eine Frage, eine Idee, etwas, das nicht funktioniert: Schreib uns.",
  officeHours: "Bürozeiten",
  officeHoursText: "Montag bis Freitag: 9 bis 17 Uhr (EST), am Wochenende geschlossen",
  name: "Name",
  email: "E-Mail",
  subject: "Betreff",
  message: "Nachricht",
  atMost: "Höchstens {count} Zeichen.",
  send: "Nachricht senden",
  sending: "Wird gesendet …",
  sent: "Nachricht gesendet",
  sentText: "Deine Nachricht ist bei uns. Wir melden uns bald!",
  notSent: "Nachricht nicht gesendet",
  notSentText: "Beim Senden deiner Nachricht ist ein Fehler aufgetreten. Bitte versuche es noch einmal.",
  needHelp: "Brauchst du Hilfe?",
  needHelpText:
    "Viele Antworten stehen unter den <questions>Fragen und Antworten</questions>. Du kannst auch an <address>{email}</address> schreiben.",
};
