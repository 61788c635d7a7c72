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
};
