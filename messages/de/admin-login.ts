import type { Translated } from "../messages.ts";

export const adminLogin: Translated<"adminLogin"> = {
  title: "Verwaltung",
  lead: "Für alle, die diesen Dienst am Laufen halten.",
  username: "Benutzername",
  password: "Passwort",
  logIn: "Anmelden",
  loggingIn: "Wird angemeldet…",
  loggedIn: "Angemeldet",
  loggedInHelp: "Du bist jetzt als Administrator angemeldet",
  loginFailed: "Anmeldung fehlgeschlagen",
  loginFailedHelp: "Die Anmeldedaten stimmen nicht",
  loggedOut: "Abgemeldet",
  loggedOutHelp: "Die Sitzung in der Verwaltung ist beendet",
  backHome: "Zur Startseite",
};
