import type { Translated } from "../messages.ts";

export const download: Translated<"download"> = {
  titleWait: "Bitte warten",
  sharedFile: "Eine geteilte Datei, {size}",

  onItsWay: "Unterwegs",
  progress: "Fortschritt beim Hochladen",
  almostThere: "Fast geschafft: Die Datei wird gerade zusammengesetzt.",
  aboutLeft: "Noch etwa {time}",
  stillUploading:
    "Diese Datei wird gerade noch hochgeladen. Lass die Seite offen: Der Download erscheint hier, sobald sie bereit ist.",

  ready: "Deine Datei ist bereit",
  timeLeft: "Noch {time}",
  day: "{count} Tg.",
  hour: "{count} Std.",
  minute: "{count} Min.",
  second: "{count} Sek.",
  littleTime:
    "Es bleibt nur noch wenig Zeit. Ein Download, der vor dem Ablauf der Datei begonnen hat, wird nicht abgebrochen.",
  download: "Herunterladen",
  downloadAgain: "Noch einmal herunterladen",

  checkDownload: "Prüfe deinen Download",
  computedByBrowser: "SHA-256, berechnet vom Browser des Absenders",
  computedByServer: "SHA-256, berechnet von unserem Server",
  checking: "Wird geprüft…",
  chooseDownloaded: "Heruntergeladene Datei wählen",
  unreadable: "Dieser Browser konnte die Datei nicht lesen. Bitte wähle sie noch einmal.",
  sameFile: "Es ist genau die Datei, die gesendet wurde.",
  anotherFile: "Es ist nicht die Datei, die gesendet wurde. Bitte lade sie noch einmal herunter.",

  expired: "Datei ist abgelaufen",
  notFound: "Datei nicht gefunden",
  askSender: "Bitte den Absender um einen neuen Link.",
  checkLink: "Prüfe, ob der Link vollständig ist, oder bitte den Absender noch einmal darum.",
  sendYourOwn: "Eine eigene Datei senden",
  oneMoment: "Einen Moment bitte",
  tryAgain: "Noch einmal versuchen",

  preview: "Vorschau",
  openingPreview: "Vorschau wird geöffnet…",
  previewFailed: "Für diese Datei gibt es hier keine Vorschau. Herunterladen kannst du sie trotzdem.",
  textCut: "Das sind die ersten {shown} von {size}. Lade die Datei herunter, um alles zu lesen.",
  page: "Seite {number}",
  pageCount: "{count, plural, one {# Seite} other {# Seiten}}",
  pagesCut: "Das sind die ersten {shown} von {count} Seiten. Lade die Datei herunter, um alle zu sehen.",
  pageFailed: "Diese Seite konnte hier nicht gezeichnet werden.",

  reportFile: "Datei melden",
  reportQuestion: "Was stimmt mit {filename} nicht?",
  reason: "Grund",
  reportMessage: "Nachricht (freiwillig)",
  reporterEmail: "Deine E-Mail-Adresse (freiwillig)",
  reporterEmailHint: "Nur für Rückfragen zu deiner Meldung.",
  sendReport: "Meldung senden",
  sending: "Wird gesendet…",
  reportFailed: "Meldung nicht gesendet",
  reportFailedHelp: "Deine Meldung konnte nicht gesendet werden. Bitte versuche es noch einmal.",
  thankYou: "Danke",
  reportSent: "Deine Meldung ist bei uns. Wir sehen uns jede an.",
};
