import type { tooManyRequestsErrors as errors, tooManyRequestsPage as page } from "../en/too-many-requests.ts";

export const tooManyRequestsErrors: Record<keyof typeof errors | "RATE_LIMITED", string> = {
  RATE_LIMITED: "Zu viele Versuche. Bitte warte einen Moment und versuche es dann noch einmal.",
  tooOftenSeconds:
    "Zu viele Versuche. Bitte warte {count, plural, one {# Sekunde} other {# Sekunden}} und versuche es dann noch einmal.",
  tooOftenMinutes:
    "Zu viele Versuche. Bitte warte {count, plural, one {# Minute} other {# Minuten}} und versuche es dann noch einmal.",
  tooOftenHours: "Zu viele Versuche. Bitte warte {count} Stunden und versuche es dann noch einmal.",
  tooManySockets: "Zu viele geöffnete Seiten verfolgen Uploads. Schließe eine davon und versuche es noch einmal.",
  tooManyDashboards:
    "Deine Dateien sind in zu vielen Fenstern geöffnet. Schließe eines davon und versuche es noch einmal.",
  tooManyUnfinished:
    "Du hast {count} unfertige Uploads. Mehr erlaubt dein Tarif nicht. Schließe in der Übersicht einen ab oder verwirf ihn, und versuche es dann noch einmal.",
  tooManySending:
    "Zu viele Uploads zu dieser Anfrage sind noch nicht fertig. Bitte versuche es in einer Minute noch einmal.",
};

export const tooManyRequestsPage: Record<keyof typeof page, string> = {
  titleWait: "Bitte warten",
  oneMoment: "Einen Moment bitte",
  tryAgain: "Noch einmal versuchen",
};
