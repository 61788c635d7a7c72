import type { Translated } from "../messages.ts";

export const emailDiagnostic: Translated<"emailDiagnostic"> = {
  title: "E-Mail-Test",
  lead: "Bestätigungs-E-Mails werden über einen E-Mail-Dienst versendet.",
  text: "Sende eine Test-E-Mail, um zu prüfen, ob sie ankommt. Das dürfen nur Administratoren: Melde dich zuerst als Administrator an.",
  email: "E-Mail",
  send: "Test-E-Mail zur Bestätigung senden",
  sending: "Test-E-Mail wird gesendet\u00a0…",
  success: "Erfolg",
  error: "Fehler",
  successful: "E-Mail-Test erfolgreich",
  failed: "E-Mail-Test fehlgeschlagen",
  failedText: "Beim Senden der Test-E-Mail ist ein Fehler aufgetreten. Einzelheiten stehen im Protokoll.",
};
