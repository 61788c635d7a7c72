import type { Translated } from "../messages.ts";

export const userFactor: Translated<"userFactor"> = {
  hasApp: "Authenticator-App",
  hasPasskey: "Passkey",
  hasAppAndPasskey: "Authenticator-App und Passkey",
  secondFactor: "Zweiter Faktor",
  factorOf: "Was {email} außer dem Passwort zeigt.",
  factorSince: "Authenticator-App, seit <date></date>",
  noApp: "Keine Authenticator-App",
  passkeyCount: "{count, plural, =0 {Kein Passkey} one {# Passkey} other {# Passkeys}}",
  removalHelp:
    "Wer die App und alle Wiederherstellungscodes verloren hat, bittet dich, sie zu entfernen. Zuerst geht eine E-Mail hinaus, mit deren Knopf die Person die App behalten kann. Nach drei Tagen ohne Antwort kannst du sie sieben Tage lang entfernen.",
  removalAsked: "Angefragt: <date></date>.",
  removalFrom: "Sie lässt sich entfernen ab: <date></date>.",
  removalOpen: "Sie lässt sich entfernen bis: <date></date>.",
  removalKept: "Die Person hat die App behalten: <date></date>.",
  askRemoval: "Entfernen anfragen",
  asking: "Wird angefragt\u00a0…",
  removalSent: "Die E-Mail ist unterwegs",
  removalSentHelp: "{email} kann drei Tage lang antworten.",
  removeApp: "App entfernen",
  removing: "Wird entfernt\u00a0…",
  appRemoved: "Die App ist entfernt",
  appRemovedHelp: "{email} meldet sich jetzt ohne Code an.",
  removeAppQuestion: "Authenticator-App entfernen?",
  removeAppHelp:
    "{email} meldet sich dann allein mit dem Passwort an. Vergewissere dich, dass dich wirklich diese Person gebeten hat.",
  factorLoadFailed: "Der zweite Faktor ließ sich nicht laden.",
  factorFailed: "Das hat nicht geklappt. Bitte versuche es noch einmal.",
};
