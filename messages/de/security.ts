import type { Translated } from "../messages.ts";

export const security: Translated<"security"> = {
  title: "Sicherheit",
  tabs: "Dein Konto",
  accountTab: "Konto",
  securityTab: "Sicherheit",

  confirmTitle: "Bestätige, dass du es bist",
  confirmHelp:
    "Deine Anmeldung liegt eine Weile zurück. So ist dein Konto auch auf einem Gerät sicher, das du offen gelassen hast.",
  confirmElsewhere: "Melde dich ab und wieder an, und versuche es dann noch einmal.",
  yourPassword: "Dein Passwort",
  confirm: "Bestätigen",
  confirming: "Wird bestätigt …",
  confirmFailed: "Das ließ sich nicht bestätigen. Bitte versuche es noch einmal.",

  codeOfApp: "Code aus deiner Authenticator-App",

  factor: "Authenticator-App",
  factorHelp:
    "Mit ihr brauchst du zum Anmelden zusätzlich einen Code, den eine App auf deinem Handy zeigt. Ein gestohlenes Passwort reicht dann nicht.",
  factorOn: "Eingerichtet am {date}.",
  codesLeft:
    "{count, plural, =0 {Kein Wiederherstellungscode ist übrig.} one {# Wiederherstellungscode ist übrig.} other {# Wiederherstellungscodes sind übrig.}}",
  setUpFactor: "App einrichten",
  removeFactor: "App entfernen",
  removeFactorFailed: "Die App ließ sich nicht entfernen",
  factorFailed: "Die App ließ sich nicht einrichten",
  scan:
    "Scanne diesen QR-Code mit deiner Authenticator-App, oder tippe den Schlüssel ein. Gib dann den Code ein, den sie zeigt.",
  qrCode: "QR-Code für deine Authenticator-App",
  factorKey: "Schlüssel",
  enableFactor: "Einschalten",
  cancelFactor: "Abbrechen",
  newCodes: "Neue Wiederherstellungscodes anlegen",
  newCodesFailed: "Die Codes ließen sich nicht anlegen",
  codes: "Deine Wiederherstellungscodes",
  codesHelp:
    "Mit jedem kannst du dich einmal anmelden, wenn du dein Handy nicht hast. Bewahre sie sicher auf: Wir zeigen sie nur jetzt.",
  copyCodes: "Wiederherstellungscodes",
  codesKept: "Ich habe sie aufbewahrt",

  devices: "Deine Geräte",
  devicesHelp: "Browser, in denen du angemeldet bist oder warst.",
  thisDevice: "{device} (dieses Gerät)",
  lastSeen: "Zuletzt angemeldet am {date}",
  lastSeenFrom: "Zuletzt angemeldet am {date} · {address}",
  removeDevice: "Abmelden",
  removeDeviceOn: "{device} abmelden",
  deviceRemoved: "Gerät abgemeldet",
  removeFailed: "Das Gerät ließ sich nicht abmelden",
  noDevices: "Noch keine Geräte. Mit der nächsten Anmeldung kommt eines dazu.",
  otherSessions: "Weitere Sitzungen",

  everywhere: "Überall abmelden",
  everywhereHelp: "Beendet jede Sitzung auf jedem Gerät, auch diese.",
  keysToo: "Auch meine API-Schlüssel widerrufen",
  everywhereDone: "Du bist überall abgemeldet",
  everywhereFailed: "Die Abmeldung ist fehlgeschlagen",

  events: "Was zuletzt geschah",
  eventAt: "{date} · {device}",
  eventFrom: "{date} · {device} · {address}",
  noEvents: "Noch nichts.",
  signIn: "Angemeldet",
  signInNewDevice: "Auf einem neuen Gerät angemeldet",
  signOutEverywhere: "Überall abgemeldet",
  deviceGone: "Ein Gerät abgemeldet",
  passwordReplaced: "Passwort geändert",
  emailRequested: "Neue E-Mail-Adresse angefordert",
  emailChanged: "E-Mail-Adresse geändert",
  emailUndone: "Frühere E-Mail-Adresse zurückgeholt",
  locked: "Nach „Das war ich nicht“ alles beendet",

  factorSet: "Authenticator-App eingerichtet",
  factorRemoved: "Authenticator-App entfernt",
  recoveryCodesMade: "Neue Wiederherstellungscodes angelegt",
  recoveryCodeUsed: "Einen Wiederherstellungscode benutzt",

  notMeTitle: "Warst du das nicht?",
  notMeHelp:
    "Damit meldest du alle Geräte ab, widerrufst deine API-Schlüssel und entfernst andere Anmeldewege. Dein Passwort gilt nicht mehr, und wir schicken dir einen Link, mit dem du ein neues setzt.",
  notMe: "Das war ich nicht",
  notMeDone: "Dein Konto ist gesperrt",
  notMeDoneHelp:
    "Alle Geräte sind abgemeldet. Öffne den Link, den wir dir gerade geschickt haben, und setze ein neues Passwort.",
  keepFactorTitle: "Authenticator-App behalten",
  keepFactorHelp: "Jemand hat uns gebeten, die Authenticator-App deines Kontos zu entfernen. Dieser Knopf lehnt das ab.",
  keepFactor: "Meine App behalten",
  keepFactorDone: "Deine App bleibt",
  keepFactorDoneHelp: "Zum Anmelden brauchst du weiterhin einen Code aus deiner Authenticator-App.",
  undoTitle: "E-Mail-Adresse behalten",
  undoHelp:
    "Damit holst du die Adresse zurück, an die wir diesen Link geschickt haben. Alle Geräte werden abgemeldet, deine API-Schlüssel widerrufen und andere Anmeldewege entfernt. Dein Passwort gilt nicht mehr, und wir schicken dir einen Link, mit dem du ein neues setzt.",
  undo: "Diese Adresse behalten",
  undoDone: "Du hast deine Adresse zurück",
  undoDoneHelp:
    "Alle Geräte sind abgemeldet. Öffne den Link, den wir gerade an {email} geschickt haben, und setze ein neues Passwort.",
  webhooksHint: "Sieh danach auf deiner Kontoseite nach den Webhooks, und lösche alle, die du nicht kennst.",
  working: "Einen Moment …",
};
