import type { Translated } from "../messages.ts";

export const thunderbird: Translated<"thunderbird"> = {
  description: "Verschickt große Anhänge als Links, die von selbst ablaufen.",

  address: "Adresse der Website",
  addressHelp: "In deinem Browser öffnet sich eine Seite. Gib dort den Code ein, der hier erscheint.",
  notAddress: "Das ist keine Adresse einer Website mit https.",
  signIn: "Anmelden",
  typeCode: "Gib diesen Code auf der Seite ein, die sich in deinem Browser geöffnet hat:",
  cancel: "Abbrechen",
  notAgreed: "Niemand hat rechtzeitig zugestimmt. Melde dich noch einmal an, um einen neuen Code zu bekommen.",
  notSite: "{host} antwortet nicht wie eine Website für dieses Add-on.",
  unreachable: "{host} ist nicht erreichbar.",
  signedIn: "Angemeldet als {email} bei {host}.",
  limits: "Dateien bis {size}. In diesem Monat sind noch {left} von {all} frei.",
  newer: "Es gibt eine neuere Version dieses Add-ons:",
  signOut: "Abmelden",
  keyNotEnded: "Hier abgemeldet. Die Website hat nicht geantwortet: Beende den Schlüssel auch auf {page}.",

  signInFirst: "Du bist nicht angemeldet. Öffne unter „Anhänge“ die Einstellungen dieses Kontos.",
  signInAgain: "Die Anmeldung ist abgelaufen. Melde dich in den Einstellungen dieses Kontos neu an.",
  tooLarge: "{name} ({size}) wurde nicht gesendet: {reason}",
  fileChanged: "Die Datei hat sich geändert, während sie gesendet wurde. Hänge sie noch einmal an.",
  failed: "Die Datei konnte nicht gesendet werden. Bitte versuche es noch einmal.",
};
