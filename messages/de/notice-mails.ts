import type { Translated } from "../messages.ts";

export const noticeMails: Translated<"noticeMails"> = {
  fileSubject: "{sender} hat dir mit {product} eine Datei geschickt",
  filesSubject: "{sender} hat dir mit {product} Dateien geschickt",
  fileTitle: "Du hast eine Datei bekommen",
  filesTitle: "Du hast Dateien bekommen",
  sentYou: "{sender} hat dir {name} geschickt ({parts}).",
  sentLocked: "{sender} hat dir Dateien geschickt, die durch ein Passwort geschützt sind.",
  files: "{count, plural, one {#\u00a0Datei} other {#\u00a0Dateien}}",
  andMore: "und {more} weitere",
  openPage: "Zur Download-Seite",
  passwordComes: "Du brauchst das Passwort. {sender} sagt es dir auf einem anderen Weg.",
  downloadsLimited: "Der Link endet nach {count, plural, one {#\u00a0Download} other {#\u00a0Downloads}}.",
  neverEnds: "Der Link läuft nicht ab.",
  endsAt: "Der Link läuft am {at} ab.",
  unknownFile: "Wenn du {sender} nicht kennst, öffne die Datei nicht.",
  unknownFiles: "Wenn du {sender} nicht kennst, öffne die Dateien nicht.",
  quoted: "„{note}“",
  stopMail: "Keine solchen E-Mails mehr bekommen",

  lockedName: "dein Link mit Passwort",
  sealedName: "dein verschlüsselter Link",
  dashboard: "Übersicht öffnen",

  arrivedSubject: "Angekommen: {name}",
  arrivedManySubject: "{count, plural, one {# Upload ist angekommen} other {# Uploads sind angekommen}}",
  arrivedTitle: "Alles ist angekommen",
  arrivedText:
    "{count, plural, one {Dieser Upload ist vollständig, und sein Link funktioniert:} other {Diese Uploads sind vollständig, und ihre Links funktionieren:}}",

  downloadedSubject: "Heruntergeladen: {name}",
  downloadedTitle: "Deine Dateien wurden heruntergeladen",
  downloadedText: "Downloads von „{name}“:",
  downloads: "{count, plural, one {#\u00a0Download} other {#\u00a0Downloads}}",
  downloadsOf: "{who}: {downloads}",
  anybody: "Jemand mit dem Link",
  seeWho: "Ansehen, wer heruntergeladen hat",

  endingSubject: "Der Link von {sender} läuft morgen ab",
  endingTitle: "Der Link läuft morgen ab",
  endingText: "{sender} hat dir {name} geschickt, und du hast es noch nicht heruntergeladen. Der Link gilt bis {at}.",
  endingLocked:
    "{sender} hat dir Dateien geschickt, die durch ein Passwort geschützt sind, und du hast sie noch nicht heruntergeladen. Der Link gilt bis {at}.",
  endingOwnSubject: "Läuft morgen ab: {name}",
  endingOwnManySubject: "{count, plural, one {# deiner Links läuft morgen ab} other {# deiner Links laufen morgen ab}}",
  endingOwnTitle: "Was morgen abläuft",
  endingOwnText:
    "{count, plural, one {Dann endet der Link, und seine Dateien werden gelöscht:} other {Dann enden die Links, und ihre Dateien werden gelöscht:}}",
  endingOwnHelp: "Wenn du die Dateien länger behalten willst, ändere vorher den Ablauf.",
  endingItem: "{name}: bis {at}",
  keepLonger: "Dateien länger behalten",

  receiptSubject: "{count, plural, one {Deine Datei ist} other {Deine Dateien sind}} angekommen",
  receiptText: "Das wurde mit {product} gesendet, und jemand hat diese Adresse für die Bestätigung angegeben:",
  receiptItem: "{files}, {size}, am {at}",
  receiptNameless:
    "Die Dateien sind hier nicht genannt, weil niemand diese Adresse bestätigt hat. Gehört sie dir, können solche E-Mails von jetzt an Namen und Prüfsummen enthalten.",
  receiptConfirm: "Adresse bestätigen",
  receiptIgnore: "Du musst nichts tun. Hast du das nicht gesendet, ignoriere diese E-Mail.",

  daySubject: "Dein Tag mit {product}",
  dayTitle: "Was mit deinen Dateien passiert ist",
  dayDownloaded: "Heruntergeladen:",
  dayReceived: "An dich geschickt:",
  dayItem: "{name}, {who}: {downloads}",

  receivedSubject: "{who} hat dir Dateien geschickt",
  receivedManySubject: "{count, plural, one {#\u00a0Sendung ist} other {#\u00a0Sendungen sind}} für dich angekommen",
  receivedTitle: "Jemand hat dir Dateien geschickt",
  receivedText: "Sie kamen über deine Dateianfrage. Die Namen haben die Absender selbst angegeben.",
  receivedItem: "{who}: {name} ({parts})",
  stranger: "Jemand",
  seeReceived: "Ansehen, was gekommen ist",
};
