/** The way into the admin area. */
export const adminLogin = {
  title: "Administration",
  lead: "For those who keep this service running.",
  username: "Username",
  password: "Password",
  logIn: "Log In",
  loggingIn: "Logging in…",
  loggedIn: "Admin login successful",
  loggedInHelp: "You are now logged in as an administrator",
  loginFailed: "Login failed",
  loginFailedHelp: "Invalid credentials",
  loggedOut: "Logged out",
  loggedOutHelp: "Admin session ended successfully",
  backHome: "Back to Home",
} as const;
