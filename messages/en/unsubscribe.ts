/** The page that the last line of a mail leads to. */
export const unsubscribe = {
  title: "Emails from {product}",
  senderTitle: "Stop these emails?",
  senderLead: "{sender} sent files to {email} with {product}. Choose what you no longer want there.",
  stopSender: "No more email from {sender}",
  stopSenderHelp: "Others can still send you files.",
  stopAll: "No email from {product} at all",
  stopAllHelp: "Nobody can mail you files through {product} any more.",
  ownLead: "These emails are about your own files. They go to {email}.",
  stopOwn: "Stop these emails",
  stopOwnHelp: "Emails of other kinds still come. Your account has all choices.",
  senderStopped: "No more email from {sender}",
  senderStoppedLead: "{email} gets no more files from {sender} by email. Links you already have still work.",
  allStopped: "No more email from {product}",
  allStoppedLead:
    "Nobody can send {email} files by email through {product} any more. Links you already have still work.",
  ownStopped: "These emails are off",
  ownStoppedLead: "{email} gets no more emails of this kind.",
  undo: "Undo",
  undoHelp: "The emails come again then.",
  accountMail: "If you have an account, emails that it needs still come, such as one to set a new password.",
  toAccount: "All choices in your account",
  unknownTitle: "This link is not valid",
  unknownLead:
    "It may have been cut off when it was copied: open it from the email itself. If the files it was about are gone, no more email about them comes anyway.",
  busyTitle: "Too many requests",
  contact: "Still getting email you do not want? Write to us, and we stop it.",
} as const;
