import type { Translated } from "../messages.ts";
import { tooManyRequestsPage } from "./too-many-requests.ts";

export const download: Translated<"download"> = {
  ...tooManyRequestsPage,
  sharedFile: "Eine geteilte Datei, {size}",

  onItsWay: "Unterwegs",
  progress: "Fortschritt beim Hochladen",
  almostThere: "Fast fertig: Die Datei wird gerade zusammengesetzt.",
  aboutLeft: "Noch etwa {time}",
  stillUploading:
    "Diese Datei wird noch hochgeladen. Lass die Seite geöffnet: Sobald die Datei bereit ist, kannst du sie hier herunterladen.",

  ready: "Deine Datei ist bereit",
  timeLeft: "Noch {time}",
  day: "{count} Tg.",
  hour: "{count} Std.",
  minute: "{count} Min.",
  second: "{count} Sek.",
  littleTime: "Diese Datei läuft bald ab. Ein Download, der bis dahin begonnen hat, läuft noch zu Ende.",
  download: "Herunterladen",
  downloadAgain: "Noch einmal herunterladen",

  checkDownload: "Download prüfen",
  computedByBrowser: "SHA-256, berechnet vom Browser des Absenders",
  computedByServer: "SHA-256, berechnet von unserem Server",
  checking: "Wird geprüft\u00a0…",
  chooseDownloaded: "Heruntergeladene Datei wählen",
  unreadable: "Dieser Browser konnte die Datei nicht lesen. Bitte wähle sie noch einmal.",
  sameFile: "Dein Download ist identisch mit der gesendeten Datei.",
  anotherFile: "Diese Datei ist nicht identisch mit der gesendeten. Bitte lade sie noch einmal herunter.",

  expired: "Datei nicht mehr verfügbar",
  transferExpired: "Übertragung nicht mehr verfügbar",
  notFound: "Datei nicht gefunden",
  askSender: "Bitte den Absender um einen neuen Link.",
  checkLink: "Prüfe, ob der Link vollständig ist, oder bitte den Absender, ihn noch einmal zu schicken.",
  sendYourOwn: "Eine eigene Datei senden",

  preview: "Vorschau",
  openingPreview: "Vorschau wird geöffnet\u00a0…",
  previewFailed: "Die Vorschau dieser Datei konnte nicht angezeigt werden. Herunterladen kannst du sie trotzdem.",
  textEncoding: "Zeichenkodierung",
  textCut: "Das sind die ersten {shown} von {size}. Lade die Datei herunter, um alles zu lesen.",
  page: "Seite {number}",
  pageCount: "{count, plural, one {# Seite} other {# Seiten}}",
  pagesCut: "Das sind die ersten {shown} von {count} Seiten. Lade die Datei herunter, um alle zu sehen.",
  pageFailed: "Diese Seite konnte nicht angezeigt werden.",

  reportFile: "Datei melden",
  reportQuestion: "Was stimmt mit {filename} nicht?",
  reason: "Grund",
  reportMessage: "Nachricht (optional)",
  reporterEmail: "Deine E-Mail-Adresse (optional)",
  reporterEmailHint: "Nur für Rückfragen zu deiner Meldung.",
  sendReport: "Meldung senden",
  sending: "Wird gesendet\u00a0…",
  reportFailed: "Meldung nicht gesendet",
  reportFailedHelp: "Deine Meldung konnte nicht gesendet werden. Bitte versuche es noch einmal.",
  thankYou: "Danke",
  reportSent: "Wir haben deine Meldung erhalten und prüfen sie.",
};
