import type { Translated } from "../messages.ts";

export const answers: Translated<"answers"> = {
  corsBuiltIn: "Der eingebaute Speicher braucht keine CORS-Einstellungen. Es gibt nichts zu reparieren.",
  corsUpdated:
    "S3 nimmt jetzt Uploads von dieser Website an. Es kann eine Minute dauern, bis das in jedem Browser funktioniert.",
  testMailSent: "Die Test-E-Mail wurde gesendet. Sieh im angegebenen Postfach nach.",
};
