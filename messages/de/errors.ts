import { TUS_REQUEST_BYTES } from "#domain/tus.ts";
import type { Translated } from "../messages.ts";

export const errors: Translated<"errors"> = {
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

  BAD_JSON: "Die Anfrage enthält kein gültiges JSON.",
  TOKEN_INVALID: "Dieser Link wurde bereits verwendet oder ist abgelaufen. Bitte fordere einen neuen an.",
  BAD_REQUEST: "Die Anfrage ist ungültig.",
  PATH_REFUSED: "Der Name einer Datei ist nicht auf jedem System erlaubt.",
  REDIRECT_REFUSED: "Die Rücksprungadresse muss eine Seite dieser Website sein.",
  SIGNATURE_INVALID: "Die Signatur fehlt, ist ungültig oder abgelaufen.",
  AUTHORIZATION_PENDING: "Auf der Seite hat noch niemand zugestimmt. Frage in ein paar Sekunden noch einmal nach.",
  SLOW_DOWN: "Du hast zu früh wieder gefragt. Warte zwischen zwei Fragen fünf Sekunden länger.",
  ACCESS_DENIED: "Diese Anmeldung wurde auf der Seite abgelehnt.",
  EXPIRED_TOKEN: "Dieser Code ist abgelaufen oder wurde schon benutzt. Beginne die Anmeldung noch einmal.",
  UNAUTHORIZED: "Dafür musst du dich anmelden.",
  INVALID_CREDENTIALS: "Die E-Mail-Adresse oder das Passwort ist falsch.",
  ADMIN_CREDENTIALS: "Die Anmeldedaten sind falsch",
  MAIL_CODE_WRONG:
    "Dieser Code ist falsch, abgelaufen oder wurde schon benutzt. Fordere im Zweifel eine neue E-Mail an.",
  KEY_MISSING: "Sende einen API-Schlüssel mit: Authorization: Bearer mayfly_…",
  KEY_INVALID:
    "Dieser API-Schlüssel ist unbekannt, abgelaufen oder widerrufen. Einen neuen erstellst du auf deiner Kontoseite.",
  LINK_LOCKED: "Dieser Link ist mit einem Passwort geschützt.",
  PAYMENT_REQUIRED:
    "Dieser Tarif ist nicht bezahlt, deshalb wurde nichts geändert. Wenn du gerade bezahlt hast, versuche es bitte in einer Minute noch einmal.",
  ACCOUNT_SUSPENDED:
    "Dieses Konto ist gesperrt. Warum, und wie man widerspricht, steht in einer E-Mail an seine Adresse.",
  FORBIDDEN: "Dazu bist du nicht berechtigt.",
  ADMIN_REQUIRED: "Das dürfen nur Administratoren. Bitte melde dich als Administrator an.",
  CROSS_SITE: "Diese Anfrage kam von einer anderen Website und wurde abgelehnt.",
  HTTPS_REQUIRED: "Diese Adresse ist nur über https:// erreichbar. Es wurde nichts geändert.",
  CODES_STOPPED:
    "Es wurden zu viele falsche Codes eingegeben, deshalb gelten hier keine Codes mehr. Nimm einen Wiederherstellungscode oder einen Passkey, oder lege über „Passwort vergessen?“ ein neues Passwort fest: Dann gelten sie wieder.",
  SECOND_FACTOR_WRONG: "Dieser Code stimmt nicht oder wurde schon benutzt.",
  STEP_ENDED:
    "Diese Anmeldung hat zu lange gedauert oder hatte zu viele falsche Codes. Bitte melde dich noch einmal an.",
  SECOND_FACTOR_SET: "Dein Konto hat schon eine Authenticator-App. Entferne sie zuerst.",
  REMOVAL_WAITS: "Du kannst sie entfernen, sobald die E-Mail an diese Person drei Tage alt und unbeantwortet ist.",
  WRONG_PASSWORD: "Das aktuelle Passwort ist falsch.",
  PASSKEY_UNKNOWN: "Dieser Passkey ist hier nicht bekannt. Melde dich anders an, und füge ihn neu hinzu.",
  PASSKEY_REFUSED: "Der Passkey ließ sich nicht prüfen. Bitte versuche es noch einmal.",
  PASSKEY_COPIED:
    "Dieser Passkey wurde vielleicht kopiert, deshalb haben wir ihn abgelehnt. Melde dich anders an und lies unsere E-Mail.",
  PASSKEY_CONFLICT: "Dieser Passkey lässt sich nicht hinzufügen.",
  LAST_WAY_IN: "Das ist der letzte Weg in dein Konto. Füge zuerst einen anderen hinzu.",
  SECOND_FACTOR_SETUP: "Administratoren brauchen hier einen zweiten Faktor. Richte erst einen ein.",
  CONFIRM_REQUIRED: "Bitte bestätige, dass du es bist.",
  LINK_PASSWORD_WRONG: "Das ist nicht das Passwort. Frage den Absender, wenn du unsicher bist.",
  EMAIL_UNVERIFIED:
    "Bitte bestätige deine E-Mail-Adresse, bevor du dich anmeldest. Den Link dazu findest du in deinem Postfach.",
  KEY_SCOPE: "Das darf dieser API-Schlüssel nicht.",
  KEY_LIMIT: "Dieser API-Schlüssel hat aufgebraucht, was er in diesem Monat senden darf.",
  KEY_IN_BROWSER:
    "Dieser API-Schlüssel kam von einer Webseite, und sein Besitzer hat das nicht erlaubt. Den Schlüssel einer Seite kann jeder lesen.",
  PLAN_LIMIT_EXCEEDED: "Das überschreitet die Grenzen deines Tarifs.",
  REQUEST_FULL: "Hier werden keine weiteren Dateien angenommen.",
  NOT_FOUND: "Unter dieser Adresse wurde nichts gefunden.",
  PICTURE_NOT_FOUND: "Von dieser Datei gibt es kein Bild.",
  PICTURES_FULL: "Dieser Link nimmt keine weiteren Bilder an.",
  REQUEST_NOT_FOUND: "Diesen Link zum Senden von Dateien gibt es nicht.",
  FILE_NOT_FOUND: "Diese Datei gibt es nicht, oder der Link ist falsch.",
  DEVICE_CODE_UNKNOWN: "Diesen Code gibt es nicht. Vergleiche ihn mit dem, den das Programm zeigt.",
  SLUG_TAKEN: "Es gibt bereits eine Seite mit diesem Kürzel.",
  SEO_PAGE_TAKEN: "Diese Seite hat bereits SEO-Angaben.",
  CHECKOUT_NOT_FOUND: "Dieser Bezahlvorgang wurde in deinem Konto nicht gefunden. Es wurde nichts geändert.",
  CUSTOMER_MISSING: "Dein Kundeneintrag wurde bei Stripe nicht gefunden. Bitte wende dich an den Support.",
  ALREADY_ON_PLAN: "Diesen Tarif hast du schon.",
  LAST_ADMIN: "Das ist der letzte Administrator mit einem Konto. Mache zuerst einen anderen Nutzer zum Administrator.",
  SUSPENDS_ITSELF: "Du kannst dein eigenes Konto nicht sperren. Bitte einen anderen Administrator darum.",
  ALREADY_SUSPENDED: "Dieses Konto ist bereits gesperrt.",
  CASE_CLOSED: "Dieser Fall ist bereits erledigt.",
  ALREADY_OBJECTED: "Dein Widerspruch ist schon bei uns. Wir schreiben dir.",
  REPORT_SETTLED: "Diese Meldung ist bereits erledigt.",
  LINK_FIRST:
    "Zu dieser Adresse gibt es schon ein Konto. Melde dich bei diesem Konto an, um den Anbieter zu verbinden.",
  PROVIDER_TAKEN: "Diese Anmeldung ist schon mit einem anderen Konto verbunden.",
  EMAIL_TAKEN: "Zu dieser E-Mail-Adresse gibt es bereits ein Konto",
  REPEATED_DIFFERENTLY:
    "Mit diesem Idempotency-Key wurde schon etwas anderes begonnen. Nimm für jeden Start einen neuen.",
  UPLOAD_UNFINISHED: "Diese Datei wird noch hochgeladen. Versuche es noch einmal, wenn sie bereit ist.",
  TOO_MANY_FOLLOWERS:
    "Zu viele laden diese Datei schon herunter, während sie noch hochgeladen wird. Versuche es in einer Minute noch einmal.",
  UPLOAD_FINISHED: "Dieser Upload ist bereits abgeschlossen.",
  CHUNK_CONFLICT: "Dieses Stück wurde bereits mit anderem Inhalt gesendet.",
  ENTRY_CONFLICT: "Eine Datei wurde bereits mit anderem Namen, anderer Größe oder anderem Datum angekündigt.",
  OBJECT_CONFLICT: "Dieser Teil der Übertragung wurde bereits mit anderen Dateien begonnen.",
  TOTALS_EXCEEDED: "Diese Dateien sind mehr, als die Übertragung angekündigt hat. Nenne zuerst die neuen Summen.",
  UPLOAD_COMPLETING: "Dieser Upload wird gerade abgeschlossen. Bitte versuche es gleich noch einmal.",
  OFFSET_CONFLICT:
    "Das nächste Byte gehört an eine andere Stelle, oder eine spätere Anfrage hat übernommen. Frage mit HEAD nach und mache dort weiter.",
  UPLOAD_CLOSED: "Dieser Upload wurde abgebrochen oder ist fehlgeschlagen. Bitte starte ihn neu.",
  MANIFEST_CONFLICT: "Die Liste der Dateien wurde auf einem anderen Gerät geändert. Lade sie neu, und ändere sie dann.",
  MANIFEST_MISSING: "Die endgültige Liste der Dateien ist noch nicht angekommen.",
  WEBHOOK_DISABLED: "Dieser Webhook ist ausgeschaltet. Schalte ihn zuerst ein.",
  NOT_SEALED: "Dieser Upload ist nicht Ende-zu-Ende-verschlüsselt.",
  SEALED: "Dieser Link ist Ende-zu-Ende-verschlüsselt: Nur ein Browser mit dem ganzen Link kann das.",
  LINK_NEEDS_KEY: "Dieser Link endet mit einem Schlüssel, den wir nicht kennen. Sende ihn aus deinem Mailprogramm.",
  LEASE_NEEDED:
    "Downloads dieses Links werden gezählt. Nimm zuerst einen, mit POST an die Adresse, die auf /take endet.",
  DOWNLOADS_BUSY: "Gerade lädt jemand anders herunter. Bricht der Download ab, kannst du es später versuchen.",
  ATTEMPTS_USED_UP: "Zu viele Downloads dieses Links wurden abgebrochen. Bitte den Absender, ihn wieder freizugeben.",
  DEVICE_CODE_ENDED:
    "Dieser Code ist abgelaufen oder wurde schon benutzt. Beginne die Anmeldung im Programm noch einmal.",
  REQUEST_CLOSED: "Hier werden keine Dateien mehr angenommen. Frag die Person, von der du den Link hast.",
  KIND_REFUSED: "Hier werden Dateien dieser Art nicht angenommen.",
  DOWNLOADS_USED_UP: "Alle Downloads, die dieser Link erlaubt, sind verbraucht.",
  FILE_EXPIRED: "Diese Datei ist abgelaufen und kann nicht mehr heruntergeladen werden.",
  UPLOAD_GONE: "Dieser Upload ist beendet, und seine Daten sind gelöscht. Bitte starte einen neuen.",
  LINK_UNAVAILABLE: "Dieser Link ist nicht verfügbar.",
  LINK_HELD: "Wir sehen uns diesen Link gerade an. Bitte versuche es später noch einmal.",
  TUS_VERSION_UNKNOWN: "Hier gilt tus 1.0.0. Sende Tus-Resumable: 1.0.0.",
  REQUEST_TOO_LARGE: `Eine Anfrage darf nicht so viel enthalten. Setze chunkSize auf ${TUS_REQUEST_BYTES}.`,
  BODY_TOO_LARGE: "Die Anfrage ist zu groß.",
  CHUNK_TOO_LARGE: "Das Stück ist größer, als bei diesem Upload erlaubt.",
  FILE_TOO_LARGE: "Diese Datei ist für jeden Tarif zu groß.",
  LENGTH_REQUIRED: "Für diese Anfrage ist der Header Content-Length erforderlich.",
  UNSUPPORTED_MEDIA_TYPE: "Diese Anfrage muss als application/json gesendet werden.",
  NO_PREVIEW: "Für diesen Dateityp gibt es keine Vorschau. Lade die Datei herunter, um sie zu öffnen.",
  RANGE_NOT_SATISFIABLE: "Der angeforderte Bereich liegt außerhalb der Datei.",
  UPLOAD_INCOMPLETE: "Ein Teil der Datei ist noch nicht im Speicher angekommen.",
  FILE_CHANGED:
    "Diese Datei hat sich geändert, seit sie hochgeladen wird. Was angekommen ist, wurde gelöscht. Sende sie noch einmal.",
  OBJECT_MISMATCH:
    "Die gespeicherten Daten stimmen nicht mit der angekündigten Datei überein und wurden gelöscht. Bitte lade die Datei noch einmal hoch.",
  CHECKSUM_MISMATCH: "Was angekommen ist, passt nicht zur Prüfsumme. Es wurde verworfen.",
  HUMAN_CHECK_NEEDED: "Bitte zeige auf der Seite /human-check, dass du kein Programm bist.",
  HUMAN_CHECK_UNAVAILABLE:
    "Wir konnten nicht prüfen, dass du kein Programm bist. Bitte versuche es gleich noch einmal.",
  THROWAWAY_ADDRESS: "Diese Adresse gehört zu einem Dienst für Wegwerf-Mail. Bitte nimm eine Adresse, die du behältst.",
  BEING_CHECKED: "Das wird gerade auf Viren geprüft. Versuche es in einer Minute noch einmal.",
  FILE_INFECTED: "Ein Virenscanner hat hierin etwas gefunden, deshalb ist der Link geschlossen.",
  CONTENT_BLOCKED:
    "Diese Datei wurde hier schon einmal gesperrt, deshalb wird sie nicht angenommen. Was angekommen ist, wurde gelöscht.",
  UPGRADE_REQUIRED: "Unter dieser Adresse sind nur WebSocket-Verbindungen möglich.",
  INTERNAL: "Bei uns ist etwas schiefgegangen. Bitte versuche es noch einmal.",
  CORS_UPDATE_FAILED:
    "Die CORS-Einstellungen von S3 konnten nicht geändert werden. Bitte versuche es später noch einmal.",
  TEST_MAIL_FAILED: "Die Test-E-Mail konnte nicht gesendet werden. Einzelheiten stehen im Protokoll.",
  PROVIDER_REFUSED: "Der Anbieter hat nicht bestätigt, wer du bist. Bitte versuche es noch einmal.",
  STRIPE_UNREACHABLE: "Stripe hat nicht geantwortet. Bitte versuche es gleich noch einmal.",
  BILLING_UNAVAILABLE:
    "Kostenpflichtige Tarife sind nicht verfügbar, weil auf diesem Server keine Abrechnung eingerichtet ist. Bitte wende dich an den Support.",
  PORTAL_NOT_CONFIGURED:
    "Das Abrechnungsportal von Stripe ist für dieses Konto nicht eingerichtet. Bitte wende dich an den Support.",
  GATE_UNAVAILABLE:
    "Wir konnten nicht prüfen, wie viele Downloads dieser Link noch hat. Bitte versuche es gleich noch einmal.",
  OVERLOADED: "Es kommen zu viele Dateien zugleich an. Bitte versuche es in ein paar Sekunden noch einmal.",
  STORAGE_UNAVAILABLE: "Der Speicher hat nicht geantwortet. Bitte versuche es gleich noch einmal.",
  DATABASE_BUSY: "Hier ist gerade zu viel los. Bitte versuche es in ein paar Sekunden noch einmal.",
  DATABASE_FULL:
    "Hier ist im Moment kein Platz für neue Einträge, deshalb wurde das nicht ausgeführt. Dateien können weiter heruntergeladen werden. Bitte sag den Betreibern dieser Seite Bescheid.",

  downloadsUsedUp:
    "Dieser Link erlaubt {count, plural, one {#\u00a0Download, und der ist verbraucht} other {#\u00a0Downloads, und alle sind verbraucht}}.",
  downloadsBusy:
    "Gerade lädt jemand anders herunter. Bricht der Download ab, ist in {count, plural, one {# Minute} other {# Minuten}} wieder Platz.",
  tooManyRanges: "Diese Datei wurde in zu vielen Stücken angefragt. Lade sie in einem herunter.",
  linkExpired: "Dieser Link ist abgelaufen.",
  linkRemoved: "Was hinter diesem Link lag, wurde entfernt.",
  fileRemoved: "Diese Datei wurde entfernt und kann nicht mehr heruntergeladen werden.",
  transferExpired: "Diese Übertragung ist abgelaufen und kann nicht mehr heruntergeladen werden.",
  transferRemoved: "Diese Übertragung wurde entfernt und kann nicht mehr heruntergeladen werden.",
  transferUnfinished: "Diese Übertragung läuft noch. Versuche es noch einmal, wenn sie bereit ist.",

  overLargest: "Dateien dürfen in allen Tarifen höchstens {size} groß sein.",
  overPlan:
    "Diese Datei ist größer, als dein Tarif erlaubt ({size}). Wechsle in einen größeren Tarif, um sie zu senden.",
  overKey: "Diese Datei ist größer, als dieser API-Schlüssel senden darf ({size}).",
  requestFileSize: "Hier werden Dateien bis {size} angenommen.",
  requestFiles: "Hier werden bis zu {count} Dateien auf einmal angenommen.",
  requestLeft: "Hier werden noch {left} angenommen.",
  requestOwnerFull: "Wer um Dateien gebeten hat, kann im Moment keine weiteren annehmen. Bitte sag Bescheid.",
  requestKinds: "Hier werden nur diese Dateiarten angenommen: {kinds}.",
  requestNeedsName: "Bitte gib deinen Namen an. Hier wird danach gefragt.",
  requestNeedsEmail: "Hier wird nach deiner E-Mail-Adresse gefragt.",
  requestPasswordWrong: "Das ist nicht das Passwort. Frag die Person, von der du den Link hast.",
  requestSetByOwner: "Darüber entscheidet, wer um die Dateien bittet. Lass {field} weg.",
  requestFromElsewhere:
    "Von dieser Website werden hier keine Dateien angenommen. Wer um die Dateien bittet, kann sie hinzufügen.",
  tooManyRequestsOpen:
    "Dein Tarif erlaubt {count, plural, one {# offene Anfrage} other {# offene Anfragen}}. Schließe erst eine, oder wechsle den Tarif.",
  requestCarries: "Eine Anfrage darf hier höchstens {size} enthalten. Setze chunkSize auf 16777216.",
  keyLacks: "Das darf dieser API-Schlüssel nicht: Ihm fehlt {scope}.",
  tooManyKeys: "Du hast {count} API-Schlüssel, mehr erlaubt dein Tarif nicht. Widerrufe zuerst einen davon.",
  keyOfPage: "Dieser API-Schlüssel wurde auf der Kontoseite erstellt. Nur dort lässt er sich widerrufen.",
  keyNotFound: "Diesen API-Schlüssel hast du nicht.",
  keepsTooLong: "Für die Dauer „{expiration}“ brauchst du den Tarif {plan}.",
  twoEnds: "Wähle entweder, wie lange der Link gilt, oder wann er endet – nicht beides.",
  endTooNear: "Der Link kann frühestens in einer Minute enden.",
  hasPassed:
    "Seit dem Hochladen ist schon mehr Zeit vergangen, als du gewählt hast ({expiration}). Wähle eine längere Dauer oder lösche die Datei.",
  transfersUsed: "Du hast alle {count} Übertragungen dieses Monats verbraucht.",
  overStored:
    "Mit dieser Datei würdest du die {size} überschreiten, die dein Tarif speichern kann. Lösche zuerst einige Dateien.",
  overMonth: "Diese Datei ist {size} groß, aber von den {month} dieses Monats sind nur noch {left} übrig.",
  filesOverPlan:
    "Eine dieser Dateien ist größer, als dein Tarif erlaubt ({size}). Wechsle in einen größeren Tarif, um sie zu senden, oder lass sie weg.",
  filesOverStored:
    "Mit diesen Dateien würdest du die {size} überschreiten, die dein Tarif speichern kann. Lösche zuerst einige Dateien.",
  filesOverMonth: "Diese Dateien sind {size} groß, aber von den {month} dieses Monats sind nur noch {left} übrig.",
  filesHavePassed:
    "Seit dem Hochladen ist schon mehr Zeit vergangen, als du gewählt hast ({expiration}). Wähle eine längere Dauer oder lösche die Übertragung.",

  growthOverMonth:
    "Diese Dateien brauchen {size} mehr, aber von den {month} dieses Monats sind nur noch {left} übrig. Lass einige weg, oder sende sie im nächsten Monat.",
  sizeInNextMonth:
    "Seit dem Start dieses Uploads hat ein neuer Monat deines Tarifs begonnen. Deshalb kann er nicht mehr wachsen. Bitte starte ihn neu.",
  growthInNextMonth:
    "Seit dem Start dieser Übertragung hat ein neuer Monat deines Tarifs begonnen. Deshalb nimmt sie keine Dateien mehr auf. Sende diese in einer anderen Übertragung.",
  visitorOver:
    "Ohne Konto fasst eine Übertragung bis zu {size}. Lass einige Dateien weg, oder sende sie in einer anderen Übertragung.",

  pathRefused: "Der Name von Datei {n} ist nicht auf jedem System erlaubt.",
  pathOfFolder: "Datei {n} hat den Pfad eines Ordners einer anderen Datei.",
  pathTwice: "Zwei Dateien einer Übertragung können nicht denselben Pfad haben.",
  pathsTooLong:
    "Die Namen aller Dateien einer Übertragung dürfen mit ihren Ordnern zusammen höchstens {size} groß sein. Kürze die Namen der Ordner oder sende weniger Dateien.",
  entryDiffers: "Datei {n} wurde bereits mit anderem Namen, anderer Größe oder anderem Datum angekündigt.",
  siteKinds: "Diese Website nimmt Dateien dieser Art nicht an.",
  entryBlocked:
    "{path} wurde hier schon einmal gesperrt, deshalb wird diese Übertragung nicht angenommen. Was angekommen ist, wurde gelöscht.",
  noSuchEntry: "Die Datei {n} gibt es nicht.",
  packTooLarge: "Ein Paket fasst höchstens {count, number} Dateien und {size}.",
  tooManyEntries: "Eine Übertragung fasst in deinem Tarif bis zu {count, number} Dateien.",
  noMoreEntries:
    "Eine Übertragung fasst in deinem Tarif bis zu {count, number} Dateien. Sende die übrigen in einer anderen Übertragung.",
  entriesMissing: "{count, plural, one {#\u00a0Datei ist} other {#\u00a0Dateien sind}} noch nicht angekommen.",
  entriesUnfinished: "Einige dieser Dateien sind noch unterwegs.",
  entryRemoved: "Diese Datei wurde aus der Übertragung entfernt.",
  sealedEntryWrong:
    "Eine verschlüsselte Datei muss als sealed-NNNNN angekündigt werden, mit Datum 0 und ohne Typ, und mit einer Größe, die eine verschlüsselte Datei hat. Datei {n} ist es nicht.",
  sealedSum: "Sende keine Prüfsumme einer verschlüsselten Datei: Sie steht in ihrer Dateiliste.",
  entryMissing: "Nenne die Datei der Übertragung: entry fehlt.",
  sealedPassword:
    "Das Passwort eines verschlüsselten Links gehört zu seinem Schlüssel: Sende stattdessen wrap, accessHash und kdf.",
  sealedLocked:
    "Dieser Link ist Ende-zu-Ende-verschlüsselt. Öffne den ganzen Link: Was hinter dem # steht, ist der Schlüssel.",
  wrongPick: "Das ist keine Auswahl aus dieser Übertragung.",
  archiveChanged: "Dieses Archiv hat sich inzwischen geändert. Öffne den Link noch einmal.",

  sameAddress: "Das ist bereits deine E-Mail-Adresse.",
  noSecondFactor: "Dieses Konto hat keine Authenticator-App.",
  adminSecretMissing:
    "Administratoren brauchen hier einen zweiten Faktor. Der Administrator der Einstellungen bekommt ihn durch ADMIN_TOTP_SECRET, das npm run deploy anlegt.",
  factorNotBegun: "Diese Einrichtung ist abgelaufen. Bitte fange noch einmal an.",
  sessionEnded: "Diese Sitzung ist bereits beendet.",
  passkeyGone: "Dieser Passkey steht nicht mehr in deiner Liste.",
  passkeyTaken: "Dieser Passkey ist schon hinzugefügt.",
  passkeysFull: "Mehr als {count} Passkeys kann ein Konto nicht haben. Entferne zuerst einen.",
  deviceGone: "Dieses Gerät steht nicht mehr in deiner Liste.",
  linkFirst: "Zu dieser Adresse gibt es schon ein Konto. Melde dich bei diesem Konto an, um {provider} zu verbinden.",
  providerGone: "Mit diesem Anbieter kannst du dich hier nicht anmelden.",
  providerNotConnected: "Dieser Anbieter ist nicht mit deinem Konto verbunden.",

  alreadyOn: "Du nutzt den Tarif {plan} bereits",
  noPayments:
    "Dein Tarif kann nicht auf Stripe umgestellt werden, weil auf diesem Server keine Abrechnung eingerichtet ist. Er bleibt unverändert.",
  alreadyAtStripe: "Dein Abonnement läuft bereits über Stripe.",
  noPaidPlan: "Du hast keinen kostenpflichtigen Tarif, der umgestellt werden könnte. Wähle einen auf der Preisseite.",

  webhookNotUrl: "Gib die ganze Adresse des Empfängers ein, zum Beispiel https://example.com/webhook.",
  webhookNotHttps: "Die Adresse des Empfängers muss mit https:// beginnen.",
  webhookPort: "Der Empfänger muss auf Port 443 erreichbar sein, dem Standard von https.",
  webhookCredentials: "Die Adresse darf keinen Benutzernamen und kein Passwort enthalten.",
  webhookHost:
    "Der Empfänger braucht einen öffentlichen Hostnamen: keine IP-Adresse und keinen Namen aus einem lokalen Netz.",
  webhookOwnHost: "Ein Webhook kann nicht diese Website aufrufen.",
  noSuchWebhook: "Diesen Webhook gibt es nicht.",
  noSuchDelivery: "Diese Zustellung gibt es nicht mehr.",
  receivedWithoutLink: "Das kam über eine Dateianfrage und hat keinen Link. Mach erst einen unter „Empfangen“.",
  nothingToConfirm: "Nur die Adresse einer Empfangsbestätigung lässt sich bestätigen.",
  unknownUnsubscribe: "Zu diesem Link kommt keine E-Mail mehr. Es gibt nichts abzubestellen.",
  tooManyRecipients:
    "Dein Tarif erlaubt {count} Adressen je Link. {left, plural, =0 {Dieser hat schon alle.} one {# weitere passt noch.} other {# weitere passen noch.}}",
  tooManyWebhooks: "Dein Tarif umfasst {count, plural, one {# Webhook} other {# Webhooks}}. Lösche zuerst einen.",

  noSuchUser: "Diesen Nutzer gibt es nicht mehr.",
  notSuspended: "Dieses Konto ist nicht gesperrt.",
  noSuchAction: "Das geht bei diesem Fall nicht.",
  noSuchCase: "Diesen Fall gibt es nicht mehr.",
  noSuchDecision: "Dieser Link zum Widerspruch gilt nicht, oder die sechs Monate sind um.",
  userLeaving: "Dieser Nutzer wird gerade gelöscht.",
  noSuchContactMessage: "Diese Nachricht gibt es nicht mehr.",
  noSharedKey: "Diese Meldung hat keinen Schlüssel: Er wurde entfernt, oder es wurde keiner gesendet.",
  noSuchReport: "Diese Meldung gibt es nicht.",
  blockListLong: "Eine Liste darf höchstens {count, number} Zeilen haben. Teile sie auf.",
};
