import type { Translated } from "../messages.ts";

export const features: Translated<"features"> = {
  title: "Alles, was eine Datei unterwegs braucht",
  lead: "Und wenn ihre Zeit um ist, ist sie für alle weg.",
  features: "Funktionen",
  moreFeatures: "Und mehr",
  drop: "Hochladen per Drag-and-drop",
  dropText: "Lege Dateien oder ganze Ordner auf der Seite ab oder wähle sie aus. Kostenlos bis {size} pro Datei.",
  encrypted: "Verschlüsselte Übertragung und Speicherung",
  encryptedText: "Dateien sind beim Hochladen, im Speicher und beim Herunterladen verschlüsselt.",
  links: "Sofort ein Link zum Teilen",
  linksText:
    "Du bekommst den Link, sobald der Upload beginnt. Teile ihn gleich: Wer ihn öffnet, sieht zu, wie die Datei ankommt.",
  many: "Viele Dateien, ein Link",
  manyText:
    "Bis zu {most, number} Dateien in einer Übertragung, mit ihren Ordnern. Wer den Link hat, lädt eine Datei, eine Auswahl oder alles als ZIP herunter. Ein abgebrochener ZIP-Download lässt sich fortsetzen.",
  guards: "Passwörter und Download-Grenzen",
  guardsText:
    "Ein Link kann nach einem Passwort fragen und nach so vielen Downloads enden, wie du sagst. Ein abgebrochener Download zählt nicht. Beides lässt sich jederzeit ändern.",
  sealed: "Ende-zu-Ende-Verschlüsselung",
  sealedText:
    "Schalte sie ein, und Namen und Inhalte werden verschlüsselt, bevor sie dein Gerät verlassen. Der Schlüssel steht nur im Link. Uploads gehen trotzdem nach einem Abbruch weiter, und Vorschauen funktionieren.",
  expiry: "Ablauf nach Wunsch",
  expiryText:
    "Kostenlos von {shortest} bis {free}, mit {professionalName} bis zu {professional}, mit {ultimateName} auch {ultimate}.",
  devices: "Von jedem Gerät aus",
  devicesText: "Du brauchst nur einen Browser, auf dem Handy oder am Computer. Niemand muss etwas installieren.",
  chunks: "Sehr große Dateien in Stücken",
  chunksText: "Bis zu {largest}, in Stücken. Schlägt ein Stück fehl, wird nur dieses noch einmal gesendet.",
  preview: "Vorschau im Browser",
  previewText: "Bilder, Videos, Audio, PDF und Text lassen sich vor dem Herunterladen auf der Download-Seite ansehen.",
  requests: "Dateianfragen",
  requestsText:
    "Lass dir über einen Link von dir Dateien schicken. Wer sie schickt, braucht kein Konto. Du sagst, wie viel kommen darf und wie lange.",
  clients: "Kommandozeile, curl und API",
  clientsText:
    "Verschicke aus dem Terminal, aus ShareX oder aus deinem eigenen Programm, mit tus, einer API und Webhooks. Ein Schlüssel ist in einer Minute erstellt.",
  questions: "Fragen und Antworten",
  moreQuestions: "Weitere Fragen",
  comparePlans: "Tarife vergleichen",
  firstLink: "In einer Minute zu deinem ersten Link",
  firstLinkText: "Wähle deine Dateien, lege den Ablauf fest, teile den Link.",
  startUploading: "Jetzt hochladen",
};
