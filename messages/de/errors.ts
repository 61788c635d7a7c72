import type { Translated } from "../messages.ts";

export const errors: Translated<"errors"> = {
  BAD_JSON: "Die Anfrage ist kein gültiges JSON.",
  TOKEN_INVALID: "Dieser Link wurde schon benutzt oder ist abgelaufen. Fordere einen neuen an.",
  BAD_REQUEST: "Die Anfrage ist nicht gültig.",
  REDIRECT_REFUSED: "Die Seite, auf die es zurückgehen soll, muss eine von unseren sein.",
  SIGNATURE_INVALID: "Die Signatur fehlt, ist falsch oder zu alt.",
  UNAUTHORIZED: "Dafür musst du dich anmelden.",
  INVALID_CREDENTIALS: "E-Mail-Adresse oder Passwort stimmen nicht.",
  ADMIN_CREDENTIALS: "Die Anmeldedaten stimmen nicht",
  PAYMENT_REQUIRED:
    "Dieser Tarif ist nicht bezahlt. Es hat sich nichts geändert. Wenn du gerade bezahlt hast, versuche es in einer Minute noch einmal.",
  FORBIDDEN: "Das darfst du nicht.",
  ADMIN_REQUIRED: "Das dürfen nur Administratoren. Melde dich zuerst als Administrator an.",
  CROSS_SITE: "Diese Anfrage kam von einer fremden Seite und wurde abgelehnt.",
  HTTPS_REQUIRED: "Diese Adresse antwortet nur über https://. Es hat sich nichts geändert.",
  WRONG_PASSWORD: "Das jetzige Passwort stimmt nicht.",
  EMAIL_UNVERIFIED:
    "Bitte bestätige deine E-Mail-Adresse, bevor du dich anmeldest. Der Link dazu ist in deinem Postfach.",
  PLAN_LIMIT_EXCEEDED: "Das ist mehr, als dein Tarif erlaubt.",
  NOT_FOUND: "Unter dieser Adresse gibt es nichts.",
  FILE_NOT_FOUND: "Diese Datei gibt es nicht, oder der Link ist falsch.",
  SLUG_TAKEN: "Es gibt schon eine Seite mit diesem Kürzel.",
  SEO_PAGE_TAKEN: "Diese Seite hat schon SEO-Angaben.",
  CHECKOUT_NOT_FOUND: "Einen solchen Bezahlvorgang von dir gibt es nicht. Es hat sich nichts geändert.",
  CUSTOMER_MISSING: "Dein Kundeneintrag wurde bei Stripe nicht gefunden. Bitte wende dich an den Support.",
  ALREADY_ON_PLAN: "Diesen Tarif hast du schon.",
  LAST_ADMIN: "Das ist der letzte Administrator mit einem Konto. Mache zuerst jemand anderen zum Administrator.",
  REPORT_SETTLED: "Diese Meldung ist schon erledigt.",
  EMAIL_TAKEN: "Zu dieser E-Mail-Adresse gibt es schon ein Konto",
  UPLOAD_UNFINISHED: "Diese Datei wird noch hochgeladen. Versuche es noch einmal, wenn sie bereit ist.",
  UPLOAD_FINISHED: "Dieser Upload ist schon fertig.",
  CHUNK_CONFLICT: "Dieses Stück wurde schon mit anderem Inhalt gesendet.",
  UPLOAD_CLOSED: "Dieser Upload wurde abgebrochen oder ist fehlgeschlagen. Beginne ihn neu.",
  FILE_EXPIRED: "Diese Datei ist abgelaufen und kann nicht mehr heruntergeladen werden.",
  BODY_TOO_LARGE: "Die Anfrage ist zu groß.",
  CHUNK_TOO_LARGE: "Das Stück ist größer, als dieser Upload annimmt.",
  FILE_TOO_LARGE: "Diese Datei ist größer, als irgendein Tarif erlaubt.",
  LENGTH_REQUIRED: "Diese Anfrage braucht die Angabe ihrer Länge (Content-Length).",
  UNSUPPORTED_MEDIA_TYPE: "Sende diese Anfrage als application/json.",
  NO_PREVIEW: "Für solche Dateien gibt es keine Vorschau. Lade die Datei herunter, um sie zu öffnen.",
  RANGE_NOT_SATISFIABLE: "Der angefragte Bereich liegt außerhalb der Datei.",
  UPLOAD_INCOMPLETE: "Ein Teil der Datei ist noch nicht im Speicher angekommen.",
  OBJECT_MISMATCH:
    "Was im Speicher ankam, ist nicht die angekündigte Datei. Es wurde gelöscht. Bitte lade sie noch einmal hoch.",
  UPGRADE_REQUIRED: "Diese Adresse ist für WebSocket-Verbindungen.",
  RATE_LIMITED: "Das war zu oft. Bitte warte einen Moment, und versuche es dann noch einmal.",
  INTERNAL: "Bei uns ist etwas schiefgegangen. Bitte versuche es noch einmal.",
  CORS_UPDATE_FAILED:
    "Die CORS-Einstellungen von S3 konnten nicht geändert werden. Bitte versuche es später noch einmal.",
  TEST_MAIL_FAILED: "Die Test-E-Mail konnte nicht gesendet werden. Mehr dazu steht im Protokoll.",
  STRIPE_UNREACHABLE: "Stripe hat nicht geantwortet. Bitte versuche es gleich noch einmal.",
  BILLING_UNAVAILABLE:
    "Tarife können hier noch nicht gekauft werden: Die Bezahlung ist nicht eingerichtet. Bitte wende dich an den Support.",
  PORTAL_NOT_CONFIGURED:
    "Das Kundenportal von Stripe ist für dieses Konto nicht eingerichtet. Bitte wende dich an den Support.",
  STORAGE_UNAVAILABLE: "Der Speicher hat nicht geantwortet. Bitte versuche es gleich noch einmal.",

  tooOftenSeconds:
    "Das war zu oft. Bitte warte {count, plural, one {# Sekunde} other {# Sekunden}}, und versuche es dann noch einmal.",
  tooOftenMinutes:
    "Das war zu oft. Bitte warte {count, plural, one {# Minute} other {# Minuten}}, und versuche es dann noch einmal.",
  tooOftenHours: "Das war zu oft. Bitte warte {count} Stunden, und versuche es dann noch einmal.",
  tooManySockets: "Zu viele Seiten sehen Uploads zu. Schließe eine, und versuche es noch einmal.",
  fileRemoved: "Diese Datei wurde entfernt und kann nicht mehr heruntergeladen werden.",

  overLargest: "Dateien dürfen höchstens {size} groß sein, in allen Tarifen.",
  overPlan: "Dein Tarif nimmt Dateien bis {size} an. Wähle für diese einen größeren Tarif.",
  keepsTooLong: "Eine Datei so lange zu behalten ({expiration}) braucht den Tarif {plan}.",
  hasPassed:
    "Diese Zeit nach dem Hochladen ({expiration}) ist schon vorbei. Wähle eine längere, oder lösche die Datei.",
  tooManyUnfinished:
    "Du hast {count} unfertige Uploads, und dein Tarif erlaubt {count} auf einmal. Beende oder verwirf einen in deiner Übersicht, und versuche es dann noch einmal.",
  transfersUsed: "Du hast alle {count} Übertragungen dieses Monats verbraucht.",
  overStored: "Dein Tarif behält {size} auf einmal, und mit dieser Datei wäre es mehr. Lösche zuerst einige Dateien.",
  overMonth: "Diese Datei hat {size}, und von den {month} dieses Monats sind noch {left} übrig.",

  sameAddress: "Das ist schon deine Adresse.",
  sessionEnded: "Diese Sitzung ist schon beendet.",

  alreadyOn: "Du hast den Tarif {plan} schon",
  noPayments:
    "Dein Tarif kann nicht zu Stripe umziehen: Die Bezahlung ist hier nicht eingerichtet. Er läuft weiter wie bisher.",
  alreadyAtStripe: "Dein Abo ist schon bei Stripe.",
  noPaidPlan: "Du hast keinen bezahlten Tarif, der umziehen könnte. Wähle einen auf der Seite mit den Preisen.",

  noSuchUser: "Diesen Nutzer gibt es nicht (mehr).",
  userLeaving: "Dieser Nutzer wird gerade gelöscht.",
  noSuchSubmission: "Diese Nachricht gibt es nicht (mehr).",
  noSuchReport: "Diese Meldung gibt es nicht.",
};
