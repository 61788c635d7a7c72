import type { Translated } from "../messages.ts";

export const uploadPages: Translated<"uploadPages"> = {
  howItWorks: "So funktioniert es",
  chunkedTitle: "Große Dateien hochladen",
  chunkedLead: "Dateien bis {size} kostenlos, in Stücken von {chunk} oder mehr.",
  chunkedTab: "In Stücken hochladen",
  chunkedCut:
    "Deine Datei wird in Stücke von {small} geteilt. Eine Datei über {smallUpTo} wird in Stücke von {middle} geteilt, eine über {middleUpTo} in Stücke von {large}.",
  chunkedSent:
    "Die Stücke werden nacheinander über unseren Server gesendet. Schlägt eines fehl, wird es bis zu dreimal noch einmal gesendet.",
  chunkedSafe: "Ein Stück, das angekommen ist, ist gespeichert und muss nie noch einmal gesendet werden.",
  chunkedJoined: "Nach dem letzten Stück wird die Datei zusammengesetzt, und dein Link ist bereit.",
  loginRequired: "Anmeldung erforderlich",
  signUp: "Registrieren",
  pleaseLogIn: "Bitte melde dich an oder registriere dich, um diese Datei ({size}) hochzuladen.",
  fileWaits: "Du bist angemeldet. Wähle deine Datei ({size}) noch einmal aus, um sie hochzuladen.",
  directTitle: "Direkt zu S3 hochladen",
  directLead: "Der schnellste Weg: direkt aus deinem Browser in den Speicher.",
  directTab: "Direkt hochladen",
  directSent: "Dein Browser sendet die Datei direkt in den S3-Speicher, mehrere Teile gleichzeitig.",
  directAddresses: "Jeder Teil hat eine eigene signierte Adresse, die eine Stunde lang und nur für diesen Teil gilt.",
  directRepaired:
    "Erreicht dein Browser den Speicher nicht, werden dessen Einstellungen einmal repariert. Hilft das nicht, werden die Teile über unseren Server gesendet.",
  directJoined: "Am Ende werden die Teile im Speicher zusammengesetzt, und dein Link ist bereit.",
  accountRequired: "Konto erforderlich",
  createAccount: "Konto anlegen",
  needAccount: "Um diese Datei ({size}) hochzuladen, brauchst du ein Konto.",
  methodIs: "Methode: {method}",
  methodServer: "Wird auf dem Server verarbeitet",
  methodDirect: "Vom Browser direkt in den Speicher",
  methodProxy: "Über den Server",
  partsStored: "{completed, number} von {total, plural, one {# Teil} other {# Teilen}} gespeichert",
  currentPart: "aktueller Teil {percent}\u00a0%",
  fixCors: "S3-CORS manuell reparieren",
  fixing: "Wird repariert\u00a0…",
  corsUpdated: "CORS-Einstellungen aktualisiert",
  corsFailed: "CORS-Aktualisierung fehlgeschlagen",
  corsError: "Fehler beim Aktualisieren von CORS",
  corsErrorText:
    "Die CORS-Einstellungen von S3 konnten nicht aktualisiert werden. Bitte versuche es später noch einmal.",
  login: "Anmelden",
  cancel: "Abbrechen",
  shareTitle: "Deine Datei wurde nicht hochgeladen",
  shareText:
    "Dieser Browser konnte die Datei nicht übergeben. Öffne die Startseite und wähle die Datei dort aus. Das Teilen aus anderen Apps funktioniert, sobald du die Startseite in diesem Browser geöffnet hast.",
  shareChoose: "Datei auswählen",
};
