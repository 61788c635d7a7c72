import type { Translated } from "../messages.ts";

export const features: Translated<"features"> = {
  title: "Alles, was eine Datei auf dem Weg braucht",
  lead: "Und nichts, was sie danach braucht: Ist ihre Zeit um, ist sie weg, für alle.",
  features: "Funktionen",
  drop: "Hochladen durch Ablegen",
  dropText: "Leg eine Datei auf der Seite ab oder wähle sie aus. Bis {size} je Datei kostenlos.",
  encrypted: "Verschlüsselt unterwegs und im Speicher",
  encryptedText:
    "Dateien sind verschlüsselt: auf dem Weg zu uns, dort, wo sie liegen, und auf dem Weg zu allen, die sie herunterladen.",
  links: "Sofort ein Link zum Teilen",
  linksText:
    "Der Link ist da, sobald das Hochladen beginnt. Schick ihn gleich los: Wer ihn öffnet, sieht die Datei ankommen.",
  expiry: "Lebensdauer nach Wahl",
  expiryText:
    "Von {shortest} bis {free} kostenlos, bis zu {professional} mit {professionalName}, {ultimate} mit {ultimateName}.",
  devices: "Von jedem Gerät aus",
  devicesText:
    "Ein Browser genügt, auf dem Telefon wie am Rechner. Auf keiner der beiden Seiten ist etwas zu installieren.",
  chunks: "Sehr große Dateien in Stücken",
  chunksText: "Bis {largest}, in Stücken. Misslingt ein Stück, geht es noch einmal, und nur dieses Stück.",
  preview: "Vorschau im Browser",
  previewText:
    "Bilder, Videos, Tonaufnahmen, PDF und Text lassen sich auf der Download-Seite ansehen, bevor man sie herunterlädt.",
  questions: "Fragen und Antworten",
  comparePlans: "Tarife vergleichen",
  firstLink: "Dein erster Link ist eine Minute entfernt",
  firstLinkText: "Wähle eine Datei, sag, wie lange sie lebt, verschick den Link.",
  startUploading: "Jetzt hochladen",
};
