import type { Translated } from "../messages.ts";

export const scanMails: Translated<"scanMails"> = {
  infectedSubject: "Ein Virenscanner hat in {name} etwas gefunden",
  infectedTitle: "Dein Link ist geschlossen",
  infectedText: "Unser Virenscanner hat in {name} „{finding}“ gefunden.",
  infectedEntryText: "Unser Virenscanner hat in {path} „{finding}“ gefunden. Die Datei gehört zu {name}.",
  infectedClosed: "Den Link können jetzt nur noch du und die Administratoren öffnen. Gelöscht wurde nichts.",
  infectedHelp:
    "Wenn du die Datei nicht kennst, stammt sie vielleicht von einem Programm auf deinem Computer: Lass ihn prüfen. Wenn du glaubst, dass sich der Scanner irrt, antworte auf diese E-Mail. Lösche den Link sonst bitte.",
  openLink: "Link ansehen",
};
