import type { Translated } from "../messages.ts";

export const guardedLinks: Translated<"guardedLinks"> = {
  protectedTransfer: "Geschützte Übertragung",
  protectedCard: "Öffne sie mit dem, was du vom Absender bekommen hast.",
  enterPassword: "Gib das Passwort ein, das du vom Absender bekommen hast.",
  password: "Passwort",
  showPassword: "Passwort anzeigen",
  unlock: "Entsperren",
  unlocking: "Wird entsperrt\u00a0…",
  lockedAgain: "Dieser Link ist wieder gesperrt. Gib das Passwort ein, um weiterzumachen.",
  passwordMissing: "Gib das Passwort ein.",
  cookiesNeeded:
    "Dieser Browser speichert keine Cookies dieser Website. Der Link bliebe gesperrt. Erlaube sie und versuche es noch einmal.",
  unlockFailed: "Der Link konnte nicht entsperrt werden. Bitte versuche es gleich noch einmal.",

  downloadsLeft:
    "Noch {left, number} von {max, plural, one {#\u00a0Download} other {#\u00a0Downloads}} übrig. Ein abgebrochener Download zählt nicht.",
  noneForOthers: "Für andere ist kein Download mehr übrig, aber du kannst hier weitermachen.",
  goOnUntil: "Du kannst mit diesem Download bis {time} weitermachen.",
  ownUncounted: "Deine eigenen Downloads werden nicht gezählt.",
  lookingCounts: "Auch die Vorschau zählt als Download.",
  busyUntil: "Gerade lädt jemand anders herunter. Bricht der Download ab, ist er um {time} wieder frei.",
  notStarted: "Der Download konnte nicht gestartet werden. Bitte versuche es gleich noch einmal.",
  allMade: "Alle Downloads aufgebraucht",
};
