/** Mails about signing in, and about what else leads into an account or out of it. Each has every language, because its reader may not be who caused it. */
export const signInMails = {
  newDevice: "A new device signed in to your {product} account",
  newDeviceText: "Somebody has just signed in to your account on a device that we have not seen before.",
  when: "When: {at} (UTC)",
  browser: "Browser: {browser}",
  place: "Where from: {place}",
  unknown: "not known",
  wasYou: "If this was you, there is nothing to do.",
  wasNotYou:
    "If it was not you, press the button on this page. It signs out every device and revokes your API keys, and your password stops working. We then send you a link to set another one. The page works for {count, plural, one {# day} other {# days}}.",
  notMe: "This was not me",

  changeAsked: "A new email address for your {product} account",
  changeAskedText:
    "Somebody who is signed in to your account asked to change its email address to {address}. If this was you, there is nothing to do here.",
  undoHelp:
    "If it was not you, press the button on this page. It brings this address back, signs out every device and revokes your API keys, and your password stops working. We then send you a link to set another one. The page works until {count, plural, one {# day} other {# days}} after the new address is first used.",
  undo: "Keep this address",

  changed: "The email address of your {product} account was changed",
  changedText: "The email address of your account is {address} now.",
  changedHelp:
    "If you did not want this, look for our earlier mail about this change. Its button brings your address back for {count, plural, one {# day} other {# days}}. If you cannot find that mail, please contact us.",

  factorSet: "Your {product} account has an authenticator app",
  factorSetText: "From now on, signing in to your account takes a code of the authenticator app that was just added.",
  factorRemoved: "The authenticator app of your {product} account was removed",
  factorRemovedText:
    "The authenticator app of your account was just removed, and its recovery codes no longer work. Signing in no longer takes a code.",
  recoveryCodesMade: "New recovery codes for your {product} account",
  recoveryCodesMadeText: "New recovery codes were just made for your account. The former ones no longer work.",
  recoveryCodeUsed: "A recovery code of your {product} account was used",
  recoveryCodeUsedText:
    "A recovery code was just used to sign in to your account. {count, plural, =0 {None is left.} one {# code is left.} other {# codes are left.}}",
  fewRecoveryCodes: "Make new recovery codes soon, so that you can sign in when you have lost your device.",
  factorWasNotYou:
    "If this was not you, set another password at once, sign out everywhere, and look through your account's Security tab.",
  factorRemovalAsked: "Shall we remove the authenticator app of your {product} account?",
  factorRemovalAskedText:
    "We were told that you have lost your authenticator app and your recovery codes. Unless you answer, we can remove the app in {count, plural, one {# day} other {# days}}. Signing in then takes no code.",
  keepFactorHelp: "If you did not ask for this, press the button on this page.",
  keepFactor: "Keep my app",
  openSecurity: "Open the Security tab",

  passkeyRefused: "A passkey of your {product} account was refused",
  passkeyRefusedText:
    "Somebody has just used your passkey “{name}”, and it counted fewer uses than before. There may be a copy of it, so we refused it.",
  passkeyRefusedHelp: "Sign in another way, remove this passkey, and add a new one.",
  seePasskeys: "See your passkeys",

  passkeyAdded: "A new passkey for your {product} account",
  passkeyAddedText: "The passkey “{name}” was just added to your account. It signs in without a password or a code.",
  passkeyRemoved: "A passkey of your {product} account was removed",
  passkeyRemovedText: "The passkey “{name}” of your account was just removed. It no longer signs in.",

  codesGuessed: "Wrong codes for your {product} account",
  codesGuessedText:
    "{count} wrong codes of your authenticator app have been entered since the last right one. Whoever entered them has shown your password, or another way into your account.",
  codesGuessedHelp:
    "If this was not you, set another password at once: choose “Forgot password?” on the login page. Remove passkeys and providers that you do not know.",
  codesStopped: "Your {product} account takes no more codes",
  codesStoppedText:
    "{count} wrong codes of your authenticator app have been entered since the last right one, so we look at none any more.",
  codesStoppedHelp:
    "Sign in with a recovery code or a passkey, or set another password: choose “Forgot password?” on the login page. Then codes work again. If the wrong codes were not yours, set another password in any case.",
  adminPasswordGuessed: "Somebody is guessing an administrator's password at {product}",
  adminPasswordGuessedText:
    "{count} wrong passwords of {username} have been entered since the last right one. The login takes at most ten in 15 minutes, and after that one every 30 seconds, from all addresses together.",
  adminPasswordGuessedHelp:
    "If this was not you, make sure that the password is long and used nowhere else: then it is not found this way. A second factor stops even a right guess, and a passkey lets you in while somebody else is trying passwords.",
  adminCodeGuessed: "Wrong codes of an administrator of {product}",
  adminCodeGuessedText:
    "{count} wrong codes of {username} have been entered since the last right one. Whoever entered them has shown the password.",
  adminCodeGuessedHelp:
    "If this was not you, somebody knows the password. Set another ADMIN_PASSWORD, which also ends every session that began with the old one.",

  webhookAdded: "A new webhook for your {product} account",
  webhookAddedText:
    "A webhook was just added to your account. From now on, {url} is told what happens to your files, and gets their links.",
  webhookMoved: "A webhook of your {product} account has a new address",
  webhookMovedText:
    "The address of a webhook of your account was just changed. From now on, {url} is told what happens to your files, and gets their links.",
  webhookWasNotYou:
    "If this was not you, delete the webhook on your account page, set another password, and sign out everywhere.",
  openAccount: "Open your account",

  link: "Sign in to {product}",
  linkText:
    "Open this page and press its button to sign in. It works once, for {count, plural, one {# minute} other {# minutes}}.",
  linkAction: "Sign in",
  linkNew: "Your {product} account",
  linkNewText:
    "There is no account for this address yet. Open this page and press its button to make one. It works once, for {count, plural, one {# minute} other {# minutes}}.",
  linkNewAction: "Make an account",
  linkCode: "Or type this code in the browser in which you asked for this mail: {code}",
  linkIgnore: "If you did not ask for this, you can ignore it. Do not pass the code on: nobody from us asks for it.",
  confirmCode: "Confirm that it is you at {product}",
  confirmCodeText:
    "Type this code in the browser in which you are signed in: {code}. It works once, for {count, plural, one {# minute} other {# minutes}}.",
  confirmCodeWarning:
    "If you did not ask for this, somebody may be using your account. Sign out everywhere on its Security tab.",
  connected: "Another way into your {product} account",
  connectedText: "You can now sign in to your {product} account with {provider}.",
  connectedHelp:
    "If you did not want this, disconnect it on the Security tab of your account, and sign out everywhere.",
  disconnected: "A way into your {product} account was removed",
  disconnectedText: "You can no longer sign in to your {product} account with {provider}.",
} as const;
