/** Mails about reports and decisions of administrators, in the reader's language. */
export const moderationMails = {
  suspendedSubject: "Your {product} account is suspended",
  suspendedTitle: "Your account is suspended",
  suspendedText:
    "We have suspended the account {email}. You cannot sign in, its links show nobody anything, its API keys and webhooks have stopped, and unfinished uploads have ended.",
  suspendedKept:
    "Nothing else is deleted for now. If the suspension lasts, the account and its files are deleted from {date} on.",
  restoredSubject: "Your {product} account works again",
  restoredTitle: "Your account works again",
  restoredText:
    "The suspension of the account {email} has ended. You can sign in, and your links, API keys and webhooks work again. Links whose time ran out meanwhile have expired.",
  signIn: "Sign in",

  reasonIs: "The reason:",
  quoted: "“{reason}”",
  basisTerms: "This is against our terms of use. A person decided this, after looking at it themselves.",
  basisLaw: "We believe this to be unlawful. A person decided this, after looking at it themselves.",
  mayObject:
    "If you think this is wrong, object within six months. A person looks at it again, free of charge. You may also go to a court, or in the European Union to a certified body for out-of-court disputes.",
  object: "Object",

  takenDownSubject: "{name} was taken down from {product}",
  fileTakenDownTitle: "Your file was taken down",
  transferTakenDownTitle: "Your transfer was taken down",
  entryTakenDownTitle: "A file of your transfer was taken down",
  fileTakenDown: "We removed {name}. Its link no longer works and the file is being deleted.",
  transferTakenDown:
    "We removed {name} ({count, plural, one {# file} other {# files}}). Its link no longer works and the files are being deleted:",
  entryTakenDown:
    "We removed {path} from {title}. It can no longer be downloaded and is being deleted. The other files stay.",
  andMore: "and {count, number} more",

  reportedSubject: "We have your report",
  reportedTitle: "We have your report",
  reportedText:
    "Thank you for your report of the link {link}. A person looks at every report. We write to you again when it is decided.",
  reportedReason: "Your reason: {reason}.",
  decidedSubject: "Your report is decided",
  decidedTitle: "Your report is decided",
  reportTakenDown: "You reported the link {link}. We have closed it: nobody can download what it led to any more.",
  reportDismissed: "You reported the link {link}. We looked at what it leads to, and left it as it is.",

  objectedSubject: "We have your objection",
  objectedTitle: "We have your objection",
  objectedText: "Somebody will look at the decision about {about} again, and write to you.",
  upheldSubject: "We looked at it again",
  upheldTitle: "We looked at it again",
  upheldText: "You objected to our decision about {about}. We looked at it again, and the decision stays.",
  grantedText: "You objected to our decision about {about}. You were right: we have taken the decision back.",
  grantedFile:
    "You objected to our decision about {about}. You were right, and we are sorry. The file itself is deleted, so please send it again.",

  heldSubject: "We are looking at {name}",
  heldTitle: "We are looking at your link",
  heldDownloads: "Your account is new, and its links were downloaded unusually often.",
  heldRecipients: "Your account is new, and {name} was to go to unusually many people.",
  heldText:
    "Until somebody has looked at {name}, the link shows nobody anything. You need not do anything. We write to you when it goes on.",
  releasedSubject: "{name} goes on",
  releasedTitle: "Your link goes on",
  releasedText: "We looked at {name}. Its link works again.",
} as const;
