import type { Translated } from "../messages.ts";

export const emailDiagnostic: Translated<"emailDiagnostic"> = {
  title: "E-Mail-Prüfung",
  lead: "E-Mails zur Bestätigung gehen über einen Versanddienst hinaus.",
  text: "Schick eine E-Mail zur Probe, um zu sehen, ob sie ankommt. Das dürfen nur Administratoren: Melde dich zuerst als einer an.",
  email: "E-Mail",
  send: "Bestätigung zur Probe senden",
  sending: "E-Mail wird gesendet …",
  success: "Erfolg",
  error: "Fehler",
  successful: "E-Mail-Probe gelungen",
  failed: "E-Mail-Probe misslungen",
  failedText: "Beim Senden der E-Mail ist ein Fehler aufgetreten. Näheres steht im Protokoll.",
};
