import type { Translated } from "../messages.ts";

export const transfers: Translated<"transfers"> = {
  files: "Dateien",
  selectAll: "Alle auswählen",
  selectEntry: "{name} auswählen",
  selectFolder: "Alles in {name} auswählen",
  emptyFolder: "Leerer Ordner",
  fileCount: "{count, plural, =0 {Keine Dateien} one {#\u00a0Datei} other {#\u00a0Dateien}}",
  countAndSize: "{count, plural, =0 {Keine Dateien} one {#\u00a0Datei} other {#\u00a0Dateien}}, {size}",
  entryDownloads: "{count, plural, one {#\u00a0Download} other {#\u00a0Downloads}}",
  listLoading: "Die Liste der Dateien wird geladen\u00a0…",
  listFailed: "Die Liste der Dateien konnte nicht geladen werden.",
  listGone: "Die Liste wurde mit den Dateien gelöscht.",
  loadingMore: "Weitere Dateien werden geladen\u00a0…",

  ready: "Deine Dateien sind bereit",
  littleTime: "Diese Dateien laufen bald ab. Ein Download, der bis dahin begonnen hat, läuft noch zu Ende.",
  stillUploading:
    "Es wird noch hochgeladen. Was schon angekommen ist, kannst du bereits herunterladen. Lass die Seite geöffnet: Der Rest erscheint hier.",
  arrived: "{percent}\u00a0% sind angekommen",
  followRunning: "Dein Download läuft. Er ist vollständig, kurz nachdem die Datei angekommen ist.",
  noFilesYet: "Noch keine Dateien. Sie erscheinen hier, sobald der Absender sie hinzufügt.",
  arriving: "Kommt an",
  waiting: "Ausstehend",
  stored: "Angekommen",
  removed: "Entfernt",
  showDetails: "Vorschau und Details von {name}",

  downloadAll: "Alle herunterladen (ZIP, {size})",
  selected: "{count, plural, =0 {Leere Ordner} one {#\u00a0Datei} other {#\u00a0Dateien}} ausgewählt, {size}",
  loadingSelection: "Der Rest der Liste wird geladen\u00a0…",
  clearSelection: "Aufheben",
  downloadSelected: "{count, plural, =0 {Leere Ordner} one {#\u00a0Datei} other {#\u00a0Dateien}} herunterladen (ZIP)",
  changedMeanwhile: "Die Dateien haben sich geändert",
  changedMeanwhileHelp:
    "Der Absender hat Dateien entfernt, seit du die Seite geöffnet hast. Sie zeigt jetzt, was noch da ist.",
  notStarted: "Download nicht gestartet",
  notStartedHelp: "Der Download konnte nicht gestartet werden. Bitte versuche es gleich noch einmal.",

  reportTransfer: "Diese Dateien melden",
};
