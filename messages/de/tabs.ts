import type { Translated } from "../messages.ts";

export const tabs: Translated<"tabs"> = {
  accountTabs: "Dein Konto",
  account: "Konto",
  security: "Sicherheit",
  notices: "E-Mails",
  dashboardTabs: "Übersicht",
  files: "Dateien",
  received: "Empfangen",
  requests: "Anfragen",
};
