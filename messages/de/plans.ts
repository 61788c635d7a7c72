import type { Translated } from "../messages.ts";

export const plans: Translated<"plans"> = {
  free: "Für gelegentliche Dateien.",
  professional: "Für Dateien, die du jede Woche verschickst.",
  ultimate: "Für große Dateien und dauerhafte Links.",
  everythingIn: "Alles aus {plan}",
  linksLast: "Links, die {expirations} gelten",
  openRequests: "{count, plural, one {# offene Dateianfrage} other {# offene Dateianfragen}}",
  storedAtOnce: "Bis zu {size} gleichzeitig gespeichert",
  billingPortal: "Abrechnungsportal",
  prioritySupport: "Bevorzugter Support",
  manyFiles: "Ganze Ordner hinter einem Link",
  worksAtOnce: "Links, die schon beim Hochladen funktionieren",
  guarded: "Passwörter, Download-Grenzen, Ende-zu-Ende-Verschlüsselung",
  everyClient: "Kommandozeile, curl, API und Webhooks",
  goesOn: "Uploads, die nach einem Abbruch weitergehen",
  goneToTheSecond: "Dateien, die auf die Sekunde genau ablaufen",
};
