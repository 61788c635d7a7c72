import type { Translated } from "../messages.ts";

export const landing: Translated<"landing"> = {
  send: "Schick eine Datei.",
  sayWhen: "Sag, bis\u00a0wann.",
  lead: "Leg eine Datei bis {size} hier ab, kostenlos, und du hast sofort einen Link: Er funktioniert vom ersten Byte an. Ist die Zeit um, ist die Datei weg. Auf die Sekunde, für alle.",
  dayTitle: "Eine Eintagsfliege lebt einen Tag. Deine Datei vielleicht auch.",
  dayText: "Oder {shortest}, oder ein Jahr, oder für immer. Du sagst es einmal und musst nie wieder daran denken.",
  morning: "Morgen",
  easyUpload: "Einfach hochladen",
  easyUploadText:
    "Leg eine Datei auf der Seite ab oder wähle sie aus. Sie reist in Teilen, geradewegs in den Speicher. Reißt das WLAN ab, geht nur der Teil noch einmal, der verloren ging.",
  noon: "Mittag",
  instantSharing: "Sofort teilen",
  instantSharingText:
    "Der Link ist da, bevor die Datei es ist. Schick ihn gleich los: Wer ihn öffnet, sieht die Datei ankommen, schaut sie im Browser an und braucht kein Konto.",
  nightfall: "Abend",
  secure: "Sicher und privat",
  secureText:
    "Verschlüsselt unterwegs und im Speicher, hinter einem Link, den niemand errät. Zur Sekunde, die du gewählt hast, endet er, und binnen Minuten sind die Bytes gelöscht.",
  audiences: "Für Arbeit, die ankommen muss und dann verschwinden soll",
  businesses: "Für Unternehmen",
  businessesText:
    "Angebote, Verträge und Vorlagen gehen mit einem Datum hinaus. Ist es vorbei, ist der Link für alle tot, und in keinem Postfach wartet ein alter Anhang.",
  businessesFile: "Angebot 2114, unterschrieben.pdf",
  photographers: "Fürs Fotografieren",
  photographersText:
    "Die ganze Auswahl in voller Größe, bis {size} in einer Datei mit {plan}. Ein einzelnes Bild wird gezeigt, bevor es heruntergeladen wird, auch auf dem Telefon.",
  photographersFile: "Hochzeit, Auswahl.zip",
  videographers: "Fürs Filmen",
  videographersText:
    "Schnittfassungen bis {size} mit {plan}. Bricht die Leitung bei neunzig Prozent ab, geht es bei neunzig Prozent weiter: heute, oder morgen von einem anderen Gerät.",
  videographersFile: "Rohschnitt 4, korrigiert.mov",
  students: "Fürs Studium",
  studentsText:
    "Eine Abschlussarbeit abgeben, eine Aufnahme weitergeben. {plan}, bis {size} je Datei und {transfers} Dateien im Monat, und niemand muss etwas installieren.",
  studentsFile: "Bachelorarbeit, final final.pdf",
  goneAfter: "Lebt {expiration}",
  today: "Heute verschickt.",
  tomorrow: "Morgen vergessen.",
  planTakes: "{plan}: bis {size} je Datei",
  chooseFile: "Datei auswählen",
  comparePlans: "Tarife vergleichen",
  about:
    "{product} ist ein Webdienst zum Verschicken von Dateien: Datei hochladen, Link weitergeben, und die Datei verschwindet von selbst. {tagline}. {whoMayUpload} Zum Herunterladen braucht niemand eines.",
  accountNeeded: "Zum Hochladen brauchst du ein Konto; es ist kostenlos.",
  noAccountNeeded: "Dateien bis {size} kannst du ohne Konto hochladen.",
  planSummary:
    "{plan}: {price}, Dateien bis {size}, {month} und {transfers, number} Dateien im Monat, höchstens {longest} aufbewahrt.",
  free: "kostenlos",
  price: "{amount} im Monat",
};
