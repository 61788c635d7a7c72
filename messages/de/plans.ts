import type { Translated } from "../messages.ts";

export const plans: Translated<"plans"> = {
  free: "Für die eine oder andere Datei.",
  professional: "Für Arbeit, die jede Woche hinausgeht.",
  ultimate: "Für große Dateien, und um sie zu behalten.",
  everythingIn: "Alles aus {plan}",
  linksLast: "Links, die {expirations} gelten",
  storedAtOnce: "Bis {size} zugleich gespeichert",
  billingPortal: "Abrechnungsportal",
  prioritySupport: "Bevorzugte Hilfe",
  worksAtOnce: "Ein Link, der vom ersten Byte an funktioniert",
  goesOn: "Hochladen, das nach einem Abbruch weitergeht",
  goneToTheSecond: "Auf die Sekunde weg, wenn die Zeit um ist",
};
