import type { Translated } from "../messages.ts";

export const signInMails: Translated<"signInMails"> = {
  newDevice: "Neues Gerät in deinem {product}-Konto",
  newDeviceText: "Gerade hat sich jemand auf einem Gerät bei deinem Konto angemeldet, das wir noch nicht kennen.",
  when: "Wann: {at} (UTC)",
  browser: "Browser: {browser}",
  place: "Woher: {place}",
  unknown: "nicht bekannt",
  wasYou: "Wenn du das warst, musst du nichts tun.",
  wasNotYou:
    "Wenn du es nicht warst, drücke den Knopf auf dieser Seite. Damit meldest du alle Geräte ab und widerrufst deine API-Schlüssel, und dein Passwort gilt nicht mehr. Danach schicken wir dir einen Link, mit dem du ein neues festlegst. Die Seite gilt {count, plural, one {# Tag} other {# Tage}}.",
  notMe: "Das war ich nicht",

  changeAsked: "Neue E-Mail-Adresse für dein {product}-Konto",
  changeAskedText:
    "Jemand, der bei deinem Konto angemeldet ist, möchte dessen E-Mail-Adresse in {address} ändern. Wenn du das warst, musst du hier nichts tun.",
  undoHelp:
    "Wenn du es nicht warst, drücke den Knopf auf dieser Seite. Damit holst du diese Adresse zurück, meldest alle Geräte ab und widerrufst deine API-Schlüssel, und dein Passwort gilt nicht mehr. Danach schicken wir dir einen Link, mit dem du ein neues festlegst. Die Seite gilt, bis die neue Adresse seit {count, plural, one {# Tag} other {# Tagen}} benutzt wird.",
  undo: "Diese Adresse behalten",

  changed: "Die E-Mail-Adresse deines {product}-Kontos wurde geändert",
  changedText: "Die E-Mail-Adresse deines Kontos ist jetzt {address}.",
  changedHelp:
    "Wenn du das nicht wolltest, suche unsere frühere E-Mail zu dieser Änderung. Mit ihrem Knopf holst du deine Adresse {count, plural, one {# Tag} other {# Tage}} lang zurück. Findest du die E-Mail nicht, schreib uns bitte.",

  factorSet: "Dein {product}-Konto hat eine Authenticator-App",
  factorSetText:
    "Gerade wurde eine Authenticator-App hinzugefügt. Ab jetzt brauchst du zum Anmelden einen Code aus dieser App.",
  factorRemoved: "Die Authenticator-App deines {product}-Kontos wurde entfernt",
  factorRemovedText:
    "Gerade wurde die Authenticator-App deines Kontos entfernt, und ihre Wiederherstellungscodes gelten nicht mehr. Zum Anmelden ist kein Code mehr nötig.",
  recoveryCodesMade: "Neue Wiederherstellungscodes für dein {product}-Konto",
  recoveryCodesMadeText:
    "Gerade wurden neue Wiederherstellungscodes für dein Konto angelegt. Die bisherigen gelten nicht mehr.",
  recoveryCodeUsed: "Ein Wiederherstellungscode deines {product}-Kontos wurde benutzt",
  recoveryCodeUsedText:
    "Gerade wurde ein Wiederherstellungscode benutzt, um sich bei deinem Konto anzumelden. {count, plural, =0 {Es ist keiner mehr übrig.} one {# Code ist noch übrig.} other {# Codes sind noch übrig.}}",
  fewRecoveryCodes:
    "Lege bald neue Wiederherstellungscodes an, damit du dich auch anmelden kannst, wenn du dein Gerät verloren hast.",
  factorWasNotYou:
    "Wenn du das nicht warst, lege sofort ein neues Passwort fest, melde dich überall ab und sieh in deinem Konto unter „Sicherheit“ nach.",
  factorRemovalAsked: "Sollen wir die Authenticator-App deines {product}-Kontos entfernen?",
  factorRemovalAskedText:
    "Uns wurde gesagt, dass du deine Authenticator-App und deine Wiederherstellungscodes verloren hast. Wenn du nicht antwortest, können wir die App in {count, plural, one {# Tag} other {# Tagen}} entfernen. Zum Anmelden ist dann kein Code mehr nötig.",
  keepFactorHelp: "Wenn du das nicht wolltest, drücke den Knopf auf dieser Seite.",
  keepFactor: "Meine App behalten",
  openSecurity: "Sicherheit öffnen",

  passkeyRefused: "Ein Passkey deines {product}-Kontos wurde abgelehnt",
  passkeyRefusedText:
    "Gerade hat jemand deinen Passkey „{name}“ benutzt, und er zählte weniger Verwendungen als zuvor. Vielleicht gibt es eine Kopie von ihm, deshalb haben wir ihn abgelehnt.",
  passkeyRefusedHelp: "Melde dich auf einem anderen Weg an, entferne diesen Passkey und füge einen neuen hinzu.",
  seePasskeys: "Passkeys ansehen",

  passkeyAdded: "Neuer Passkey für dein {product}-Konto",
  passkeyAddedText:
    "Gerade wurde der Passkey „{name}“ zu deinem Konto hinzugefügt. Mit ihm kann man sich ohne Passwort und ohne Code anmelden.",
  passkeyRemoved: "Ein Passkey deines {product}-Kontos wurde entfernt",
  passkeyRemovedText:
    "Gerade wurde der Passkey „{name}“ deines Kontos entfernt. Mit ihm kann man sich nicht mehr anmelden.",

  codesGuessed: "Falsche Codes für dein {product}-Konto",
  codesGuessedText:
    "Seit dem letzten richtigen Code wurden {count} falsche Codes deiner Authenticator-App eingegeben. Wer sie eingegeben hat, kam schon an deinem Passwort oder einem anderen Weg in dein Konto vorbei.",
  codesGuessedHelp:
    "Wenn du das nicht warst, lege sofort ein neues Passwort fest: Wähle auf der Anmeldeseite „Passwort vergessen?“. Entferne Passkeys und Anbieter, die du nicht kennst.",
  codesStopped: "Dein {product}-Konto nimmt keine Codes mehr an",
  codesStoppedText:
    "Seit dem letzten richtigen Code wurden {count} falsche Codes deiner Authenticator-App eingegeben. Deshalb prüfen wir keinen mehr.",
  codesStoppedHelp:
    "Melde dich mit einem Wiederherstellungscode oder einem Passkey an, oder lege ein neues Passwort fest: Wähle auf der Anmeldeseite „Passwort vergessen?“. Danach gelten Codes wieder. Wenn die falschen Codes nicht von dir waren, lege auf jeden Fall ein neues Passwort fest.",
  adminPasswordGuessed: "Jemand errät bei {product} ein Administrator-Passwort",
  adminPasswordGuessedText:
    "Seit dem letzten richtigen wurden {count} falsche Passwörter von {username} eingegeben. Die Anmeldung nimmt höchstens zehn in 15 Minuten an und danach alle 30 Sekunden eines, von allen Adressen zusammen.",
  adminPasswordGuessedHelp:
    "Wenn du das nicht warst, sorge für ein langes Passwort, das nirgends sonst gilt: Es wird so nicht gefunden. Ein zweiter Faktor hält auch ein erratenes Passwort auf, und mit einem Passkey kommst du hinein, während jemand anderes Passwörter probiert.",
  adminCodeGuessed: "Falsche Codes eines Administrators von {product}",
  adminCodeGuessedText:
    "Seit dem letzten richtigen wurden {count} falsche Codes von {username} eingegeben. Wer sie eingegeben hat, kennt das Passwort.",
  adminCodeGuessedHelp:
    "Wenn du das nicht warst, kennt jemand das Passwort. Lege ein anderes ADMIN_PASSWORD fest: Damit endet auch jede Sitzung, die mit dem alten begann.",

  webhookAdded: "Neuer Webhook für dein {product}-Konto",
  webhookAddedText:
    "Zu deinem Konto wurde gerade ein Webhook hinzugefügt. Ab jetzt erfährt {url}, was mit deinen Dateien geschieht, und bekommt ihre Links.",
  webhookMoved: "Ein Webhook deines {product}-Kontos hat eine neue Adresse",
  webhookMovedText:
    "Die Adresse eines Webhooks deines Kontos wurde gerade geändert. Ab jetzt erfährt {url}, was mit deinen Dateien geschieht, und bekommt ihre Links.",
  webhookWasNotYou:
    "Wenn du das nicht warst, lösche den Webhook auf deiner Kontoseite, lege ein neues Passwort fest und melde dich überall ab.",
  openAccount: "Konto öffnen",

  link: "Anmelden bei {product}",
  linkText:
    "Öffne diese Seite und drücke den Knopf, um dich anzumelden. Das geht nur einmal, innerhalb von {count, plural, one {# Minute} other {# Minuten}}.",
  linkAction: "Anmelden",
  linkNew: "Dein {product}-Konto",
  linkNewText:
    "Zu dieser Adresse gibt es noch kein Konto. Öffne diese Seite und drücke den Knopf, um eines anzulegen. Das geht nur einmal, innerhalb von {count, plural, one {# Minute} other {# Minuten}}.",
  linkNewAction: "Konto anlegen",
  linkCode: "Oder gib diesen Code in dem Browser ein, in dem du diese E-Mail angefordert hast: {code}",
  linkIgnore:
    "Wenn du das nicht angefordert hast, musst du nichts tun. Gib den Code nicht weiter: Von uns fragt niemand danach.",
  confirmCode: "Bestätige bei {product}, dass du es bist",
  confirmCodeText:
    "Gib diesen Code in dem Browser ein, in dem du angemeldet bist: {code}. Er gilt nur einmal, {count, plural, one {# Minute} other {# Minuten}} lang.",
  confirmCodeWarning:
    "Wenn du das nicht angefordert hast, benutzt vielleicht jemand dein Konto. Melde dich unter „Sicherheit“ überall ab.",
  connected: "Ein weiterer Weg in dein {product}-Konto",
  connectedText: "Bei deinem {product}-Konto kannst du dich jetzt auch mit {provider} anmelden.",
  connectedHelp:
    "Wenn du das nicht wolltest, trenne die Verbindung unter „Sicherheit“ in deinem Konto, und melde dich überall ab.",
  disconnected: "Ein Weg in dein {product}-Konto wurde entfernt",
  disconnectedText: "Bei deinem {product}-Konto kannst du dich nicht mehr mit {provider} anmelden.",
};
