import type { Translated } from "../messages.ts";

export const unsubscribe: Translated<"unsubscribe"> = {
  title: "E-Mails von {product}",
  senderTitle: "Diese E-Mails abbestellen?",
  senderLead: "{sender} hat mit {product} Dateien an {email} gesendet. Wähle, was dort nicht mehr ankommen soll.",
  stopSender: "Keine E-Mails mehr von {sender}",
  stopSenderHelp: "Andere können dir weiterhin Dateien senden.",
  stopAll: "Gar keine E-Mails von {product}",
  stopAllHelp: "Niemand kann dir mehr Dateien über {product} mailen.",
  ownLead: "Diese E-Mails betreffen deine eigenen Dateien. Sie gehen an {email}.",
  stopOwn: "Diese E-Mails abbestellen",
  stopOwnHelp: "E-Mails anderer Art kommen weiterhin. Dein Konto hat alle Einstellungen.",
  senderStopped: "Keine E-Mails mehr von {sender}",
  senderStoppedLead:
    "{email} bekommt keine Dateien mehr per E-Mail von {sender}. Links, die du schon hast, funktionieren weiter.",
  allStopped: "Keine E-Mails mehr von {product}",
  allStoppedLead:
    "Niemand kann {email} mehr Dateien über {product} mailen. Links, die du schon hast, funktionieren weiter.",
  ownStopped: "Diese E-Mails sind aus",
  ownStoppedLead: "{email} bekommt keine E-Mails dieser Art mehr.",
  receiptsLead:
    "Wer Dateien in eine Anfrage bei {product} sendet, kann eine Empfangsbestätigung per E-Mail bekommen. Jemand hat diese Adresse angegeben.",
  stopReceipts: "Keine Empfangsbestätigungen mehr",
  stopReceiptsHelp: "Diese Adresse erfährt nicht mehr, was gesendet wurde, wer auch immer sie angibt.",
  receiptsStoppedLead: "Diese Adresse bekommt keine Empfangsbestätigungen mehr.",
  confirmAddress: "Das ist meine Adresse: Nenne die Dateien",
  confirmAddressHelp: "Empfangsbestätigungen enthalten dann Namen und Prüfsummen dessen, was gesendet wurde.",
  addressConfirmed: "Diese Adresse ist bestätigt: Empfangsbestätigungen nennen, was gesendet wurde.",
  undo: "Rückgängig",
  undoHelp: "Dann kommen die E-Mails wieder.",
  accountMail:
    "Hast du ein Konto, kommen E-Mails weiterhin, die es braucht, zum Beispiel um ein neues Passwort festzulegen.",
  toAccount: "Alle Einstellungen in deinem Konto",
  unknownTitle: "Dieser Link ist ungültig",
  unknownLead:
    "Vielleicht wurde er beim Kopieren abgeschnitten: Öffne ihn direkt aus der E-Mail. Sind die Dateien weg, um die es ging, kommt ohnehin keine E-Mail mehr dazu.",
  busyTitle: "Zu viele Anfragen",
  contact: "Du bekommst weiter unerwünschte E-Mails? Schreib uns, dann beenden wir sie.",
};
