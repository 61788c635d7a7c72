import {
  CONTACT_MESSAGE_MAX_LENGTH,
  FILENAME_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  REPORT_MESSAGE_MAX_LENGTH,
  SHARE_NOTE_MAX_LENGTH,
} from "#domain/wire.ts";
import type { Translated } from "../messages.ts";

export const fields: Translated<"fields"> = {
  emailInvalid: "Bitte gib eine gültige E-Mail-Adresse ein",
  emailWrong: "Bitte gib eine gültige E-Mail-Adresse ein.",
  emailMissing: "Bitte gib deine E-Mail-Adresse ein",
  passwordShort: `Das Passwort braucht mindestens ${PASSWORD_MIN_LENGTH} Zeichen`,
  passwordLong: `Das Passwort darf höchstens ${PASSWORD_MAX_LENGTH} Zeichen haben`,
  passwordsDiffer: "Die Passwörter stimmen nicht überein",
  filenameMissing: "Die Datei braucht einen Namen.",
  filenameLong: `Der Dateiname darf höchstens ${FILENAME_MAX_LENGTH} Zeichen haben.`,
  filenameNotPlain: "Der Dateiname darf keine Schrägstriche und keine Steuerzeichen enthalten.",
  filenameOnlyDots: "Der Dateiname darf nicht nur aus Punkten und Leerzeichen bestehen.",
  noteLong: `Die Notiz darf höchstens ${SHARE_NOTE_MAX_LENGTH} Zeichen haben.`,
  reasonMissing: "Wähle, was mit dieser Datei nicht stimmt.",
  reportLong: `Die Nachricht darf höchstens ${REPORT_MESSAGE_MAX_LENGTH} Zeichen haben.`,
  nameShort: "Der Name braucht mindestens 2 Zeichen.",
  nameLong: "Der Name darf höchstens 100 Zeichen haben.",
  subjectShort: "Der Betreff braucht mindestens 3 Zeichen.",
  subjectLong: "Der Betreff darf höchstens 200 Zeichen haben.",
  messageShort: "Die Nachricht braucht mindestens 10 Zeichen.",
  messageLong: `Die Nachricht darf höchstens ${CONTACT_MESSAGE_MAX_LENGTH} Zeichen haben.`,
  usernameMissing: "Der Benutzername fehlt",
  passwordMissing: "Das Passwort fehlt",
  takeDownReasonMissing: "Sag, warum die Datei gesperrt wird",
};
