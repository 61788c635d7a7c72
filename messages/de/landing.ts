import type { Translated } from "../messages.ts";

export const landing: Translated<"landing"> = {
  send: "Schick eine Datei.",
  sayWhen: "Sag, bis\u00a0wann.",
  lead: "Lege hier kostenlos eine Datei bis {size} oder einen ganzen Ordner ab, und du bekommst sofort einen Link: Er funktioniert schon, während noch hochgeladen wird.",
  leadPaid:
    "Lege hier eine Datei bis {size} oder einen ganzen Ordner ab, und du bekommst sofort einen Link: Er funktioniert schon, während noch hochgeladen wird.",
  leadEnd: "Ist die Zeit um, ist alles weg. Auf die Sekunde genau, für alle.",
  dayTitle: "Eine Eintagsfliege lebt einen Tag. Deine Datei kann das auch.",
  dayText: "Oder {shortest}, ein Jahr oder für immer. Du legst es einmal fest und musst nie wieder daran denken.",
  morning: "Morgens",
  easyUpload: "Einfach hochladen",
  easyUploadText:
    "Lege eine Datei, viele Dateien oder einen Ordner auf der Seite ab. Alles wird in Teilen direkt in den Speicher gesendet. Bricht das WLAN ab, wird nur der verlorene Teil noch einmal gesendet.",
  noon: "Mittags",
  instantSharing: "Sofort teilen",
  instantSharingText:
    "Du hast den Link, bevor der Upload fertig ist. Teile ihn gleich: Wer ihn öffnet, sieht die Dateien ankommen, kann sie im Browser ansehen, eine oder alle herunterladen und braucht kein Konto.",
  nightfall: "Abends",
  secure: "Sicher und privat",
  secureText:
    "Bei der Übertragung und im Speicher verschlüsselt, hinter einem Link, den niemand errät. Er endet in der Sekunde, die du gewählt hast, und die Datei wird innerhalb weniger Minuten aus dem Speicher gelöscht.",
  audiences: "Für Dateien, die ankommen müssen und dann verschwinden sollen",
  businesses: "Für Unternehmen",
  businessesText:
    "Versende Angebote, Verträge und Sitzungsunterlagen mit Ablaufdatum. Danach funktioniert der Link für niemanden mehr, und in keinem Postfach bleibt ein alter Anhang liegen.",
  businessesFile: "Vertrag, signiert.pdf",
  photographers: "Fürs Fotografieren",
  photographersText:
    "Die ganze Auswahl in voller Größe und in ihren Ordnern: bis zu {files, number} Bilder hinter einem Link, mit {plan} jedes bis zu {size}. JPEG- und PNG-Bilder lassen sich vor dem Herunterladen ansehen, auch auf dem Handy.",
  photographersFile: "Hochzeit, Auswahl.zip",
  videographers: "Fürs Filmen",
  videographersText:
    "Schnittfassungen bis {size} mit {plan}. Bricht die Verbindung bei neunzig Prozent ab, geht der Upload bei neunzig Prozent weiter: heute oder morgen, auch auf einem anderen Gerät.",
  videographersFile: "Rohschnitt 4, neu.mov",
  students: "Fürs Studium",
  studentsText:
    "Eine Abschlussarbeit abgeben, eine Aufnahme teilen. {plan}: bis zu {size} pro Datei und {transfers} Übertragungen im Monat, ohne etwas zu installieren.",
  studentsFile: "Arbeit, final final.pdf",
  goneAfter: "Lebt {expiration}",
  more: "Offen für alle, die du willst. Zu für alle anderen.",
  folders: "Ganze Ordner",
  foldersText:
    "Bis zu {files, number} Dateien hinter einem Link, in ihren Ordnern. Wer ihn öffnet, lädt eine, einige oder alle herunter, und eine abgebrochene ZIP-Datei geht dort weiter, wo sie aufgehört hat.",
  protection: "Passwörter und Grenzen",
  protectionText:
    "Ein Link kann nach einem Passwort fragen und nach so vielen Downloads enden, wie du sagst. Ein abgebrochener Download zählt nicht.",
  encryption: "Ende-zu-Ende-Verschlüsselung",
  encryptionText:
    "Schalte sie ein, und Namen und Inhalte werden verschlüsselt, bevor sie dein Gerät verlassen. Der Schlüssel steht nur in deinem Link, also können wir nichts davon lesen. Uploads gehen trotzdem nach einem Abbruch weiter, und Vorschauen funktionieren.",
  requests: "Lass dir etwas schicken",
  requestsText:
    "Mit einem Link von dir kann dir jeder Dateien schicken und braucht dafür kein Konto. Was ankommt, steht in deiner Übersicht, und niemand sonst sieht es.",
  clients: "Auch aus dem Terminal",
  clientsText:
    "Eine Zeile curl schickt eine Datei. Die Kommandozeile schickt Ordner, tus und ShareX funktionieren sofort, und die API meldet deinem Programm jeden Download.",
  forDevelopers: "Für Entwickler",
  today: "Heute verschickt.",
  tomorrow: "Morgen vergessen.",
  planTakes: "{plan}: bis zu {size} pro Datei",
  chooseFile: "Datei auswählen",
  comparePlans: "Tarife vergleichen",
  about:
    "{product} ist ein Webdienst zum Verschicken von Dateien und Ordnern: hochladen, einen Link teilen, und sie laufen automatisch ab. {tagline}. {whoMayUpload} Zum Herunterladen ist kein Konto nötig.",
  accountNeeded: "Zum Hochladen brauchst du ein kostenloses Konto.",
  noAccountNeeded: "Dateien bis {size} kannst du ohne Konto hochladen.",
  planSummary:
    "{plan}: {price}, Dateien bis {size}, {month} und {transfers, number} Übertragungen im Monat, längste Dauer {longest}. Bis zu {files, number} Dateien in einer Übertragung.",
  free: "kostenlos",
  price: "{amount} im Monat",
};
