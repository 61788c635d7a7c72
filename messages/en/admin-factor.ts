/** The second factor of administrators: at the login, and where something has to be confirmed. */
export const adminFactor = {
  stepLead: "One more step: show your second factor.",
  codeOfApp: "Code from your authenticator app",
  yourPassword: "Your password",
  continue: "Continue",
  confirm: "Confirm",
  checking: "Checking…",
  withPasskey: "Use a passkey",
  passkeyNeedsBrowser: "Your passkey needs a browser that knows passkeys.",
  failed: "This did not work. Please try again.",
  back: "Back to the password",
  setUp: "Set one up in your account",
  confirmTitle: "Confirm that it is you",
  confirmHelp: "Then it goes on by itself, and you are not asked again for ten minutes.",
} as const;
