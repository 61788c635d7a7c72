import type { Translated } from "../messages.ts";

export const sealedLinks: Translated<"sealedLinks"> = {
  encryptedTransfer: "Verschlüsselte Übertragung",
  encryptedNote: "Ende-zu-Ende-verschlüsselt: Nur dieses Gerät entschlüsselt die Daten.",
  unlocking: "Link wird geöffnet\u00a0…",
  needsScripts: "Diese Übertragung wird in deinem Browser entschlüsselt. Bitte erlaube dieser Website Skripte.",
  enterPassword: "Gib das Passwort ein, das du vom Absender bekommen hast.",
  lockedAgain: "Das Passwort dieses Links wurde geändert. Gib das neue ein, um weiterzumachen.",

  keyMissing: "Das Ende des Links fehlt. Füge den ganzen Link ein.",
  charactersMissing:
    "Das Ende des Links ist abgeschnitten: {count, plural, one {# Zeichen fehlt} other {# Zeichen fehlen}}. Füge den ganzen Link ein.",
  otherLink: "Dieser Link führt zu einer anderen Übertragung. Füge den Link dieser Übertragung ein.",
  wholeLink: "Ganzer Link",
  openLink: "Öffnen",
  newerPage: "Dieser Link wurde mit einer neueren Version dieser Seite erstellt. Lade die Seite neu.",
  wrongKey: "Das Ende dieses Links öffnet die Übertragung nicht. Bitte den Absender um den ganzen Link.",
  listDamaged: "Die Liste der Dateien ist nicht die, die der Absender verschlüsselt hat. Es wurde nichts geöffnet.",
  notUnlocked: "Der Link konnte nicht geöffnet werden. Bitte versuche es gleich noch einmal.",
  tryAgain: "Noch einmal versuchen",
  reload: "Neu laden",
  rewritten:
    "Dein Mailprogramm hat diesen Link verändert und seinen Schlüssel gesehen. Bitte nächstes Mal um ein Passwort.",
  mending: "Der Link wird repariert\u00a0…",
  allRemoved: "Der Absender hat alle Dateien entfernt.",
  unlisted:
    "{count, plural, one {#\u00a0Datei auf dem Server steht} other {#\u00a0Dateien auf dem Server stehen}} nicht in der Liste des Absenders. Frag den Absender, was fehlt.",

  opened: "Downloads auf dieser Seite",
  progressOf: "Fortschritt von {name}",
  decrypting: "Wird auf diesem Gerät entschlüsselt, {percent}\u00a0%.",
  decryptingToStage:
    "Wird auf diesem Gerät entschlüsselt, {percent}\u00a0%. Du kannst diese Seite schließen und später weitermachen.",
  decryptingInTab: "Wird auf diesem Gerät entschlüsselt, {percent}\u00a0%. Lass diese Seite geöffnet.",
  waiting: "Warten auf die Verbindung, {percent}\u00a0%.",
  started: "Die Entschlüsselung hat begonnen.",
  startedToStage: "Die Entschlüsselung hat begonnen. Du kannst diese Seite schließen und später weitermachen.",
  startedInTab: "Die Entschlüsselung hat begonnen. Lass diese Seite geöffnet.",
  waitingSaid: "Die Verbindung ist unterbrochen. Es geht von selbst weiter.",
  saved: "Entschlüsselt und gespeichert.",
  staged:
    "Entschlüsselt. Dein Browser speichert die Datei jetzt. Eine Kopie bleibt eine Stunde lang in diesem Browser, oder bis zu deinem nächsten Besuch, wenn du diese Seite schließt.",
  stopped: "Angehalten.",
  damaged:
    "Ein Teil dieser Datei ist nicht das, was der Absender verschlüsselt hat. Es wurde nichts davon gespeichert.",
  gone: "Diese Datei gibt es nicht mehr.",
  refused: "Der Download ist stehen geblieben. Bitte versuche es gleich noch einmal.",
  locked: "Dieser Link ist wieder gesperrt. Lade die Seite neu, um weiterzumachen.",
  room: "Auf diesem Gerät ist kein Platz mehr.",
  inUse: "Diese Datei wird gerade in einem anderen Tab geöffnet.",
  unable: "Dieser Browser kann eine Datei dieser Größe nicht speichern. Öffne den Link in einem anderen Browser.",
  early: "Ein ZIP gibt es erst, wenn der Absender fertig ist. Einzelne Dateien kannst du schon herunterladen.",
  stop: "Anhalten",
  goOn: "Weitermachen",
  saveAgain: "Noch einmal speichern",
  freeSpace: "Gespeichert, Platz freigeben",
  downloadToPlay: "Lade die Datei herunter, um sie abzuspielen.",
  downloadToSee: "Lade die Datei herunter, um sie zu sehen: Dieser Browser kann sie nicht gefahrlos anzeigen.",
  tooLargeToShow: "Diese Datei ist zu groß für eine Vorschau. Du kannst sie herunterladen.",

  shareKey: "Die Moderatoren hineinsehen lassen",
  shareKeyHint: "Schickt ihnen den Schlüssel dieses Links. Ohne ihn sehen sie weder Namen noch Inhalte.",
};
