import { ERRORS, type ErrorCode } from "#domain/errors.ts";

const ofCodes = Object.fromEntries(Object.entries(ERRORS).map(([code, { message }]) => [code, message])) as {
  [Code in ErrorCode]: (typeof ERRORS)[Code]["message"];
};

/** A message for each error code, and more specific messages. */
export const errors = {
  ...ofCodes,
  tooOftenSeconds: "Too many attempts. Please wait {count, plural, one {# second} other {# seconds}} and try again.",
  tooOftenMinutes: "Too many attempts. Please wait {count} minutes and try again.",
  tooOftenHours: "Too many attempts. Please wait {count} hours and try again.",
  tooManySockets: "Too many pages are following uploads. Close one and try again.",
  tooManyDashboards: "Your files are open in too many windows. Close one and try again.",
  tooManyUnfinished:
    "You have {count} unfinished uploads, the maximum of your plan. Finish or discard one on your dashboard, then try again.",
  tooManySending: "Too many uploads through this request are not finished yet. Please try again in a minute.",

  downloadsUsedUp:
    "This link was good for {count, plural, one {# download, and it has been made} other {# downloads, and all have been made}}.",
  downloadsBusy:
    "Somebody is downloading this right now. If they do not finish, it is free again in {count, plural, one {# minute} other {# minutes}}.",
  tooManyRanges: "This file was asked for in too many pieces. Download it in one.",
  linkExpired: "This link has expired.",
  linkRemoved: "What this link led to has been removed.",
  fileRemoved: "This file has been removed and can no longer be downloaded.",
  transferExpired: "This transfer has expired and can no longer be downloaded.",
  transferRemoved: "This transfer has been removed and can no longer be downloaded.",
  transferUnfinished: "This transfer is still being uploaded. Try again when it is ready.",

  overLargest: "The maximum file size allowed is {size} per file for all subscription plans.",
  overPlan: "This file is larger than your plan allows ({size}). Upgrade to send it.",
  overKey: "This file is larger than this API key may send ({size}).",
  requestFileSize: "This request takes files of up to {size}.",
  requestFiles: "This request takes up to {count} files at once.",
  requestLeft: "This request takes {left} more.",
  requestOwnerFull: "Whoever asked for files cannot take more of them at the moment. Please tell them.",
  requestKinds: "This request takes {kinds} only.",
  requestNeedsName: "Please say who you are: this request asks for a name.",
  requestNeedsEmail: "This request asks for your email address.",
  requestPasswordWrong: "This is not the password. Ask whoever sent you the link.",
  requestSetByOwner: "Whoever made this request decides about this. Leave {field} out.",
  requestFromElsewhere: "This request does not take files from this website. Whoever made it can add the website.",
  tooManyRequestsOpen:
    "Your plan allows {count, plural, one {# open request} other {# open requests}}. Close one first, or upgrade.",
  requestCarries: "A request carries at most {size} here. Set chunkSize to 16777216.",
  keyLacks: "This API key may not do that: it lacks {scope}.",
  tooManyKeys: "You have {count} API keys, the maximum of your plan. Revoke one first.",
  keyOfPage: "This API key was made on the account page. It can be revoked only there.",
  keyNotFound: "You have no such API key.",
  keepsTooLong: "The expiry “{expiration}” requires the {plan} plan.",
  twoEnds: "Choose either how long the link works or when it ends, not both.",
  endTooNear: "The link has to end at least a minute from now.",
  hasPassed:
    "The file was uploaded longer ago than the chosen expiry ({expiration}). Choose a longer one, or delete the file.",
  transfersUsed: "You have used all {count} transfers for this month.",
  overStored: "With this file you would exceed the {size} that your plan can store. Delete some files first.",
  overMonth: "This file is {size}, but only {left} of this month's {month} are left.",
  filesOverPlan: "One of these files is larger than your plan allows ({size}). Upgrade to send it, or leave it out.",
  filesOverStored: "With these files you would exceed the {size} that your plan can store. Delete some files first.",
  filesOverMonth: "These files are {size}, but only {left} of this month's {month} are left.",
  filesHavePassed:
    "The files were uploaded longer ago than the chosen expiry ({expiration}). Choose a longer one, or delete the transfer.",

  growthOverMonth:
    "These files take {size} more, but only {left} of this month's {month} are left. Leave some of them out, or send them next month.",
  sizeInNextMonth:
    "A new month of your plan has begun since this upload started, so it cannot grow. Please start it again.",
  growthInNextMonth:
    "A new month of your plan has begun since this transfer started, so it takes no more files. Send these in another transfer.",
  visitorOver:
    "Without an account, a transfer holds up to {size}. Leave some files out, or send them in another transfer.",

  pathRefused: "The name of file {n} is not one that every system can hold.",
  pathOfFolder: "File {n} has the path of a folder of another file.",
  pathTwice: "Two files of a transfer cannot have the same path.",
  pathsTooLong:
    "The names of all files of a transfer, with their folders, have at most {size} together. Shorten the names of folders, or send fewer files.",
  entryDiffers: "File {n} was announced before with another name, size or date.",
  siteKinds: "This site does not take files of this kind.",
  entryBlocked: "{path} was taken down here before, so this transfer is not accepted. What arrived was deleted.",
  noSuchEntry: "There is no file {n}.",
  packTooLarge: "A pack holds at most {count, number} files and {size}.",
  tooManyEntries: "A transfer on your plan holds up to {count, number} files.",
  noMoreEntries: "A transfer on your plan holds up to {count, number} files. Send the others in another transfer.",
  entriesMissing: "{count, plural, one {# file has} other {# files have}} not arrived yet.",
  entriesUnfinished: "Some of these files are still on their way.",
  entryRemoved: "This file was removed from the transfer.",
  sealedEntryWrong:
    "An encrypted file must be announced as sealed-NNNNN, with date 0 and no type, and a size that an encrypted file has. File {n} is not.",
  sealedSum: "Send no checksum of an encrypted file: its list of files has them.",
  entryMissing: "Say which file of the transfer: entry is missing.",
  sealedPassword: "The password of an encrypted link is part of its key: send wrap, accessHash and kdf instead.",
  sealedLocked: "This link is encrypted end to end. Open the whole link: what stands behind its # is the key.",
  wrongPick: "This is not a selection of this transfer.",
  archiveChanged: "This archive has changed since. Open the link again.",

  sameAddress: "This is already your email address.",
  noSecondFactor: "This account has no authenticator app.",
  adminSecretMissing:
    "Administrators need a second factor here. The administrator of the settings gets one by ADMIN_TOTP_SECRET, which npm run deploy makes.",
  factorNotBegun: "This set-up has ended. Please begin again.",
  sessionEnded: "This session has already ended.",
  passkeyGone: "This passkey is no longer in your list.",
  passkeyTaken: "This passkey has been added already.",
  passkeysFull: "An account has at most {count} passkeys. Remove one first.",
  deviceGone: "This device is no longer in your list.",
  linkFirst: "There is an account with this address. Sign in to it to connect {provider}.",
  providerGone: "You cannot sign in with this provider here.",
  providerNotConnected: "This provider is not connected to your account.",

  alreadyOn: "You're already on the {plan} plan",
  noPayments:
    "Your plan cannot be converted to Stripe because billing is not configured on this server. It has not changed.",
  alreadyAtStripe: "Your subscription is already managed by Stripe.",
  noPaidPlan: "You do not have a paid plan to convert. Choose one on the pricing page.",

  webhookNotUrl: "Enter the receiver's whole address, such as https://example.com/webhook.",
  webhookNotHttps: "The receiver's address has to begin with https://.",
  webhookPort: "The receiver has to listen on port 443, the standard of https.",
  webhookCredentials: "The address cannot contain a user name or a password.",
  webhookHost: "The receiver needs a public host name: neither an IP address nor the name of a local network.",
  webhookOwnHost: "A webhook cannot call this site.",
  noSuchWebhook: "This webhook does not exist.",
  noSuchDelivery: "This delivery no longer exists.",
  receivedWithoutLink: "This came through an upload request and has no link. Make one under Received first.",
  nothingToConfirm: "Only the address of a receipt can be confirmed.",
  unknownUnsubscribe: "This link belongs to no mail that could still come. There is nothing to stop.",
  tooManyRecipients:
    "Your plan allows {count} addresses for each link. {left, plural, =0 {This one has them all.} one {# more fits.} other {# more fit.}}",
  tooManyWebhooks: "Your plan has {count, plural, one {# webhook} other {# webhooks}}. Delete one first.",

  noSuchUser: "This user no longer exists.",
  notSuspended: "This account is not suspended.",
  noSuchAction: "This cannot be done with this case.",
  noSuchCase: "This case no longer exists.",
  noSuchDecision: "This link to object is not valid, or its six months have passed.",
  userLeaving: "This user is being deleted.",
  noSuchContactMessage: "This submission no longer exists.",
  noSharedKey: "This report has no key: it was removed, or none was sent.",
  noSuchReport: "This report does not exist.",
  blockListLong: "A list may have at most {count, number} lines. Divide it.",
} as const;
