/** The Thunderbird add-on. Its texts have plain placeholders alone, because WebExtensions know no other. */
export const thunderbird = {
  description: "Sends large attachments as links that end by themselves.",

  address: "Address of the site",
  addressHelp: "A page opens in your browser. Type the code that appears here into it.",
  notAddress: "This is not an address of a site with https.",
  signIn: "Sign in",
  typeCode: "Type this code into the page that has opened in your browser:",
  cancel: "Cancel",
  notAgreed: "Nobody agreed in time. Sign in again for another code.",
  notSite: "{host} does not answer like a site for this add-on.",
  unreachable: "{host} cannot be reached.",
  signedIn: "Signed in as {email} at {host}.",
  limits: "Files up to {size}. This month, {left} of {all} are left.",
  newer: "There is a newer version of this add-on:",
  signOut: "Sign out",
  keyNotEnded: "Signed out here. The site did not answer, so end the key on {page}, too.",

  signInFirst: "You are not signed in. Open the settings of this account under Attachments.",
  signInAgain: "The sign-in has ended. Sign in again in the settings of this account.",
  tooLarge: "{name} ({size}) was not sent: {reason}",
  fileChanged: "The file changed while it was sent. Attach it again.",
  failed: "The file could not be sent. Please try again.",
} as const;
