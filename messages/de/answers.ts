import type { Translated } from "../messages.ts";

export const answers: Translated<"answers"> = {
  corsBuiltIn: "Der eingebaute Speicher braucht keine CORS-Einstellungen: Es gibt nichts zu reparieren.",
  corsUpdated: "S3 nimmt jetzt Uploads von dieser Seite an. Es kann eine Minute dauern, bis jeder Browser das merkt.",
  testMailSent: "Die E-Mail wurde gesendet. Sieh im angegebenen Postfach nach.",
};
