import type { Translated } from "../messages.ts";

export const expirations: Translated<"expirations"> = {
  "3m": "3 Minuten",
  "6h": "6 Stunden",
  "1d": "1 Tag",
  "3d": "3 Tage",
  "7d": "7 Tage",
  "30d": "30 Tage",
  "60d": "60 Tage",
  "1y": "1 Jahr",
  never: "Für immer",
  forever: "für immer",
  onDate: "An einem Datum\u00a0…",
  endLabel: "Endet am",
  endZone: "In deiner Zeitzone ({zone})",
  endMissing: "Wähle ein Datum und eine Uhrzeit.",
  endTooNear: "Wähle einen Zeitpunkt, der mindestens eine Minute entfernt ist.",
  endTooFar: "Im Tarif {plan} gilt ein Link höchstens {longest}.",
};
