import type { Translated } from "../messages.ts";

export const uploadPages: Translated<"uploadPages"> = {
  howItWorks: "So geht es",
  chunkedTitle: "Große Dateien hochladen",
  chunkedLead: "Dateien bis {size} kostenlos, in Stücken von {chunk}.",
  chunkedTab: "In Stücken hochladen",
  chunkedCut: "Deine Datei wird in Stücke von {chunk} geschnitten, größere Dateien in größere.",
  chunkedSent:
    "Die Stücke gehen über unseren eigenen Server, eines nach dem anderen. Misslingt eines, wird es bis zu dreimal noch einmal geschickt.",
  chunkedSafe:
    "Ein Stück, das angekommen ist, ist sicher: Was danach auch geschieht, es muss nicht noch einmal geschickt werden.",
  chunkedJoined: "Ist das letzte da, werden sie zusammengesetzt, und dein Link führt zur Datei.",
  loginRequired: "Anmeldung nötig",
  signUp: "Registrieren",
  pleaseLogIn: "Bitte melde dich an oder registriere dich, um diese Datei ({size}) hochzuladen.",
  fileWaits: "Du bist angemeldet. Wähle deine Datei ({size}) noch einmal aus, um sie hochzuladen.",
  directTitle: "Direkt zu S3 hochladen",
  directLead: "Der schnellste Weg: aus deinem Browser geradewegs in den Speicher.",
  directTab: "Direkt hochladen",
  directSent: "Dein Browser schickt die Datei geradewegs in den S3-Speicher, in Teilen und mehrere zugleich.",
  directAddresses: "Jeder Teil hat eine eigene Adresse, die eine Stunde lang gilt, und nur für diesen Teil.",
  directRepaired:
    "Erreicht dein Browser den Speicher nicht, werden dessen Einstellungen einmal repariert; hilft das nicht, gehen die Teile über unseren Server.",
  directJoined:
    "Welchen Weg sie auch genommen haben: Im Speicher werden die Teile zusammengesetzt, und dein Link führt zur Datei.",
  accountRequired: "Konto nötig",
  createAccount: "Konto anlegen",
  needAccount: "Um diese Datei ({size}) hochzuladen, brauchst du ein Konto.",
  methodIs: "Weg: {method}",
  methodServer: "Wird auf dem Server verarbeitet",
  methodDirect: "Vom Browser direkt in den Speicher",
  methodProxy: "Über den Server",
  partsStored: "{completed, number} von {total, plural, one {# Teil} other {# Teilen}} gespeichert",
  currentPart: "aktueller Teil {percent} %",
  fixCors: "S3-CORS von Hand reparieren",
  fixing: "Wird repariert …",
  corsUpdated: "CORS-Einstellungen aktualisiert",
  corsFailed: "CORS wurde nicht aktualisiert",
  corsError: "Fehler beim Aktualisieren von CORS",
  corsErrorText:
    "Die CORS-Einstellungen von S3 konnten nicht aktualisiert werden. Bitte versuche es später noch einmal.",
  login: "Anmelden",
  cancel: "Abbrechen",
  shareTitle: "Deine Datei ist noch bei dir",
  shareText:
    "Dieser Browser konnte die Datei nicht übergeben, und nichts wurde hochgeladen. Öffne die Startseite, wähle die Datei dort aus, und sie macht sich auf den Weg. Das Teilen funktioniert, sobald die Startseite in diesem Browser einen Moment lang offen war.",
  shareChoose: "Datei auswählen",
};
