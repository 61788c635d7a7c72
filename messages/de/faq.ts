import type { Translated } from "../messages.ts";

export const faq: Translated<"faq"> = {
  account: "Brauche ich zum Hochladen ein Konto?",
  accountAnswer:
    "Ja. Ein Konto ist kostenlos und in einer Minute angelegt: eine E-Mail-Adresse und ein Passwort. Wähle ruhig zuerst deine Datei; sie geht von selbst los, sobald du dich registriert hast. Wer deinen Link bekommt, braucht zum Herunterladen kein Konto.",
  accountAnswerVisitors:
    "Nein. Ohne Konto kannst du Dateien bis {size} hochladen, und sie werden bis zu {expiry} aufbewahrt. Ein Konto ist kostenlos und in einer Minute angelegt: Damit kannst du deine Dateien später ansehen, ändern und löschen. Wer deinen Link bekommt, braucht zum Herunterladen kein Konto.",
  size: "Wie groß dürfen meine Dateien sein?",
  sizeAnswer:
    "Bis {free} je Datei mit {freeName}, {professional} mit {professionalName} und {ultimate} mit {ultimateName}.",
  expiry: "Wie lange werden meine Dateien aufbewahrt?",
  expiryAnswer:
    "So lange, wie du sagst, ab {shortest}: bis zu {free} mit {freeName}, bis zu {professional} mit {professionalName} und mit {ultimateName} {ultimate}, wenn du willst. Von der Sekunde an öffnet der Link nichts mehr, und die Datei selbst ist binnen Minuten aus dem Speicher gelöscht.",
  access: "Wer kann meine Dateien öffnen?",
  accessAnswer:
    "Wer den Link hat, und sonst niemand: In jedem Link steckt ein zufälliges Geheimnis, das sich nicht erraten lässt, und Suchmaschinen werden gebeten, Download-Seiten auszulassen. Dateien sind unterwegs und im Speicher verschlüsselt. Du kannst eine Datei jederzeit löschen, und ihr Link endet sofort.",
  connection: "Was ist, wenn beim Hochladen die Verbindung abreißt?",
  connectionAnswer:
    "Nichts ist verloren. {product} schickt große Dateien in Teilen, und nur ein Teil, der nicht angekommen ist, geht noch einmal. Schließ die Seite und wähle dieselbe Datei später wieder aus, und es geht dort weiter, wo es aufgehört hat.",
};
