import type { Translated } from "../messages.ts";

export const moderationMails: Translated<"moderationMails"> = {
  suspendedSubject: "Dein {product}-Konto ist gesperrt",
  suspendedTitle: "Dein Konto ist gesperrt",
  suspendedText:
    "Wir haben das Konto {email} gesperrt. Du kannst dich nicht anmelden, seine Links zeigen niemandem mehr etwas, seine API-Schlüssel und Webhooks ruhen, und angefangene Uploads sind beendet.",
  suspendedKept:
    "Sonst wird vorerst nichts gelöscht. Bleibt es bei der Sperre, werden das Konto und seine Dateien ab dem {date} gelöscht.",
  restoredSubject: "Dein {product}-Konto ist wieder frei",
  restoredTitle: "Dein Konto ist wieder frei",
  restoredText:
    "Die Sperre des Kontos {email} ist aufgehoben. Du kannst dich wieder anmelden, und deine Links, API-Schlüssel und Webhooks funktionieren wieder. Links, deren Zeit inzwischen um war, sind abgelaufen.",
  signIn: "Anmelden",

  reasonIs: "Die Begründung:",
  quoted: "„{reason}“",
  basisTerms:
    "Das verstößt gegen unsere Nutzungsbedingungen. Darüber hat ein Mensch entschieden, der es sich selbst angesehen hat.",
  basisLaw: "Wir halten das für rechtswidrig. Darüber hat ein Mensch entschieden, der es sich selbst angesehen hat.",
  mayObject:
    "Wenn du das für falsch hältst, widersprich innerhalb von sechs Monaten. Ein Mensch sieht es sich noch einmal an, und es kostet dich nichts. Du kannst auch vor Gericht gehen oder dich in der Europäischen Union an eine zugelassene Streitbeilegungsstelle wenden.",
  object: "Widersprechen",

  takenDownSubject: "{name} wurde von {product} entfernt",
  fileTakenDownTitle: "Deine Datei wurde entfernt",
  transferTakenDownTitle: "Deine Übertragung wurde entfernt",
  entryTakenDownTitle: "Eine Datei deiner Übertragung wurde entfernt",
  fileTakenDown: "Wir haben {name} entfernt. Der Link funktioniert nicht mehr, und die Datei wird gelöscht.",
  transferTakenDown:
    "Wir haben {name} ({count, plural, one {# Datei} other {# Dateien}}) entfernt. Der Link funktioniert nicht mehr, und die Dateien werden gelöscht:",
  entryTakenDown:
    "Wir haben {path} aus {title} entfernt. Die Datei kann nicht mehr heruntergeladen werden und wird gelöscht. Die anderen Dateien bleiben.",
  andMore: "und {count, number} weitere",

  reportedSubject: "Deine Meldung ist angekommen",
  reportedTitle: "Deine Meldung ist angekommen",
  reportedText:
    "Danke, dass du uns den Link {link} gemeldet hast. Jede Meldung sieht sich ein Mensch an. Wir schreiben dir wieder, sobald entschieden ist.",
  reportedReason: "Dein Grund: {reason}.",
  decidedSubject: "Über deine Meldung ist entschieden",
  decidedTitle: "Über deine Meldung ist entschieden",
  reportTakenDown:
    "Du hast den Link {link} gemeldet. Wir haben ihn geschlossen: Niemand kann mehr herunterladen, was dahinter liegt.",
  reportDismissed:
    "Du hast den Link {link} gemeldet. Wir haben uns angesehen, was dahinter liegt, und es so gelassen, wie es ist.",

  objectedSubject: "Dein Widerspruch ist angekommen",
  objectedTitle: "Dein Widerspruch ist angekommen",
  objectedText: "Wir sehen uns die Entscheidung noch einmal an und schreiben dir. Es geht um: {about}",
  upheldSubject: "Wir haben es uns noch einmal angesehen",
  upheldTitle: "Wir haben es uns noch einmal angesehen",
  upheldText:
    "Du hast unserer Entscheidung widersprochen. Wir haben sie uns noch einmal angesehen, und es bleibt dabei. Es geht um: {about}",
  grantedText:
    "Du hast unserer Entscheidung widersprochen, und du hattest recht: Wir haben sie zurückgenommen. Es geht um: {about}",
  grantedFile:
    "Du hast unserer Entscheidung widersprochen, und du hattest recht. Das tut uns leid. Die Datei selbst ist gelöscht, bitte sende sie neu. Es geht um: {about}",

  heldSubject: "Wir sehen uns {name} an",
  heldTitle: "Wir sehen uns deinen Link an",
  heldDownloads: "Dein Konto ist neu, und seine Links wurden ungewöhnlich oft heruntergeladen.",
  heldRecipients: "Dein Konto ist neu, und {name} sollte an ungewöhnlich viele Leute gehen.",
  heldText:
    "Bis jemand einen Blick auf {name} geworfen hat, zeigt der Link niemandem etwas. Du musst nichts tun. Wir schreiben dir, sobald es weitergeht.",
  releasedSubject: "Weiter mit {name}",
  releasedTitle: "Dein Link funktioniert wieder",
  releasedText: "Wir haben uns {name} angesehen. Der Link funktioniert wieder.",
};
