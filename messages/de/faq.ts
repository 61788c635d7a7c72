import type { Translated } from "../messages.ts";

export const faq: Translated<"faq"> = {
  account: "Brauche ich zum Hochladen ein Konto?",
  accountAnswer:
    "Ja. Ein Konto ist kostenlos und in einer Minute angelegt: Du brauchst nur eine E-Mail-Adresse und ein Passwort. Deine Datei kannst du schon vorher wählen; sie wird automatisch hochgeladen, sobald du dich registriert hast. Wer deinen Link bekommt, braucht zum Herunterladen kein Konto.",
  accountAnswerVisitors:
    "Nein. Ohne Konto kannst du Dateien bis {size} hochladen, und sie werden bis zu {expiry} aufbewahrt. Mit einem kostenlosen Konto kannst du deine Dateien später ansehen, ändern und löschen. Wer deinen Link bekommt, braucht zum Herunterladen kein Konto.",
  size: "Wie groß dürfen meine Dateien sein?",
  sizeAnswer:
    "Bis zu {free} pro Datei mit {freeName}, {professional} mit {professionalName} und {ultimate} mit {ultimateName}. KB, MB, GB und TB zählen in Schritten von 1.024: Ein KB sind 1.024 Bytes.",
  many: "Kann ich viele Dateien oder ganze Ordner verschicken?",
  manyAnswer:
    "Ja. Lege sie zusammen auf der Seite ab, und sie bekommen einen gemeinsamen Link. Eine Übertragung fasst mit {freeName} bis zu {free} Dateien, mit {professionalName} {professional} und mit {ultimateName} {ultimate}. Wer den Link öffnet, sieht die Ordner so, wie du sie verschickt hast, und lädt einzelne Dateien, eine Auswahl oder alles als ZIP herunter. Ein abgebrochener ZIP-Download lässt sich dort fortsetzen, wo er aufgehört hat.",
  expiry: "Wie lange werden meine Dateien aufbewahrt?",
  expiryAnswer:
    "Das bestimmst du, ab {shortest}: bis zu {free} mit {freeName}, bis zu {professional} mit {professionalName} und mit {ultimateName} auf Wunsch {ultimate}. Ist die Zeit um, funktioniert der Link sofort nicht mehr, und die Datei wird innerhalb weniger Minuten aus dem Speicher gelöscht.",
  access: "Wer kann meine Dateien öffnen?",
  accessAnswer:
    "Nur wer den Link hat. Jeder Link enthält ein zufälliges Geheimnis, das sich nicht erraten lässt, und Suchmaschinen werden angewiesen, Download-Seiten nicht aufzunehmen. Dateien sind bei der Übertragung und im Speicher verschlüsselt. Du kannst eine Datei jederzeit löschen, und ihr Link funktioniert sofort nicht mehr.",
  protect: "Kann ich einen Link mit einem Passwort schützen?",
  protectAnswer:
    "Ja, in jedem Tarif. Wähle vor dem Verschicken „Link schützen“ oder ändere es später in der Übersicht. Ein Link kann auch nach so vielen Downloads enden, wie du sagst; ein abgebrochener Download zählt nicht.",
  sealed: "Könnt ihr meine Dateien lesen?",
  sealedAnswer:
    "Nicht, wenn du die Ende-zu-Ende-Verschlüsselung einschaltest, die es in jedem Tarif gibt. Namen und Inhalte werden dann auf deinem Gerät verschlüsselt, und der Schlüssel steht nur im Link. Heb den Link auf: Ohne ihn kann niemand die Dateien öffnen, auch wir nicht. Das Format ist öffentlich, und ein Programm, das solche Links ohne diese Website öffnet, kannst du herunterladen.",
  requests: "Können andere mir Dateien schicken?",
  requestsAnswer:
    "Ja. Lege in deiner Übersicht eine Anfrage an und gib ihren Link weiter: Wer ihn hat, kann dir Dateien schicken, braucht dafür kein Konto und sieht sonst nichts von dir. So viele Anfragen können gleichzeitig offen sein: {free} mit {freeName}, {professional} mit {professionalName} und {ultimate} mit {ultimateName}. Was ankommt, zählt zu deinem Monat.",
  programs: "Kann ich aus dem Terminal oder aus meinem eigenen Programm verschicken?",
  programsAnswer:
    "Ja, in jedem Tarif. Erstelle auf deiner Kontoseite einen Schlüssel: Eine Zeile curl schickt eine Datei, und die Kommandozeile schickt Ordner. tus, ShareX, eine API und Webhooks erklärt die Seite für Entwickler.",
  connection: "Was passiert, wenn beim Hochladen die Verbindung abbricht?",
  connectionAnswer:
    "Nichts geht verloren. {product} sendet große Dateien in Teilen, und nur die Teile, die nicht angekommen sind, werden noch einmal gesendet. Du kannst die Seite sogar schließen: Wähle dieselbe Datei oder denselben Ordner später wieder aus, und der Upload geht dort weiter, wo er aufgehört hat.",
};
