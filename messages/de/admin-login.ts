import type { Translated } from "../messages.ts";

export const adminLogin: Translated<"adminLogin"> = {
  title: "Verwaltung",
  lead: "Melde dich an, um diesen Dienst zu verwalten.",
  username: "Benutzername",
  password: "Passwort",
  logIn: "Anmelden",
  loggingIn: "Wird angemeldet\u00a0…",
  loggedIn: "Angemeldet",
  loggedInHelp: "Du bist jetzt als Administrator angemeldet",
  loginFailed: "Anmeldung fehlgeschlagen",
  loginFailedHelp: "Die Anmeldedaten sind falsch",
  loggedOut: "Abgemeldet",
  loggedOutHelp: "Du hast dich aus der Verwaltung abgemeldet",
  backHome: "Zur Startseite",
};
