import type { Translated } from "../messages.ts";

export const sealing: Translated<"sealing"> = {
  // Before the start
  sealIt: "Ende-zu-Ende-verschlüsselt",
  sealHelp: "Wir können weder Namen noch Inhalte lesen. Ohne den ganzen Link sind die Dateien verloren, auch für uns.",
  sealCosts:
    "Empfänger brauchen einen Browser, der Skripte erlaubt, und Chats zeigen keinen Dateinamen. Wir können den Link nicht mailen, die Dateien nicht durchsuchen oder prüfen und niemandem helfen, der den Link verloren hat.",
  passwordLength: "Das Passwort eines verschlüsselten Links braucht 8 bis 128 Zeichen.",

  // The link
  keepLink: "Dieser Link ist der Schlüssel. Bewahre ihn auf: Auf einem anderen Gerät können wir ihn nicht zeigen.",
  mailBody: "{name}\n\n{url}",

  // The list of files
  unnamed: "Verschlüsselte Übertragung",
  keyMissing: "Schlüssel nicht auf diesem Gerät",
  keyMissingHelp: "Den Namen zeigt nur der Browser, der die Dateien gesendet hat, oder einer, der den Link hat.",
  noKeyForPassword: "Das Passwort lässt sich nur in einem Browser ändern, der den Schlüssel hat. Dieser hat ihn nicht.",

  // An unfinished upload goes on
  percentOf: "{percent}\u00a0% von {size}",
  pasteToGoOn: "Link einfügen, um hier weiterzumachen",
  pasteHelp: "Der Link ist der Schlüssel: Wir haben keine Kopie davon. Wähle danach die Dateien noch einmal.",
  link: "Link",
  linkPassword: "Passwort des Links",
  open: "Öffnen",
  opening: "Wird geöffnet\u00a0…",
  opened: "Link geöffnet",
  openedHelp: "Wähle die Dateien noch einmal, um weiterzumachen.",
  openFailed: "Der Link konnte nicht geöffnet werden. Bitte versuche es noch einmal.",
  otherLink: "Dieser Link führt zu einer anderen Übertragung.",
  noKey: "Das Ende des Links fehlt. Füge den ganzen Link ein.",
  charactersMissing: "{count, plural, one {# Zeichen fehlt} other {# Zeichen fehlen}} am Ende des Links.",
  newerLink: "Dieser Link wurde mit einer neueren Version dieser Seite erstellt. Lade die Seite neu.",
  wrongPassword: "Das ist nicht das Passwort.",
  wrongKey: "Der Link öffnet diese Übertragung nicht.",
};
