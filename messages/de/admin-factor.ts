import type { Translated } from "../messages.ts";

export const adminFactor: Translated<"adminFactor"> = {
  stepLead: "Noch ein Schritt: Zeige deinen zweiten Faktor.",
  codeOfApp: "Code aus deiner Authenticator-App",
  yourPassword: "Dein Passwort",
  continue: "Weiter",
  confirm: "Bestätigen",
  checking: "Wird geprüft\u00a0…",
  withPasskey: "Passkey verwenden",
  passkeyNeedsBrowser: "Für deinen Passkey brauchst du einen Browser, der Passkeys kennt.",
  failed: "Das hat nicht geklappt. Bitte versuche es noch einmal.",
  back: "Zurück zum Passwort",
  setUp: "In deinem Konto einrichten",
  confirmTitle: "Bestätige, dass du es bist",
  confirmHelp: "Danach geht es von selbst weiter. Zehn Minuten lang wird nicht noch einmal gefragt.",
};
