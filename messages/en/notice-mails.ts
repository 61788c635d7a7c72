/** Mails about transfers: to those a link was sent to, and to its owner. Each is in its reader's language. */
export const noticeMails = {
  fileSubject: "{sender} sent you a file with {product}",
  filesSubject: "{sender} sent you files with {product}",
  fileTitle: "You received a file",
  filesTitle: "You received files",
  sentYou: "{sender} sent you {name} ({parts}).",
  sentLocked: "{sender} sent you files behind a password.",
  files: "{count, plural, one {# file} other {# files}}",
  andMore: "and {more} more",
  openPage: "Go to the download page",
  passwordComes: "You need the password. {sender} tells it to you in another way.",
  downloadsLimited: "The link ends after {count, plural, one {# download} other {# downloads}}.",
  neverEnds: "The link does not expire.",
  endsAt: "The link expires on {at}.",
  unknownFile: "If you do not know {sender}, do not open the file.",
  unknownFiles: "If you do not know {sender}, do not open the files.",
  quoted: "“{note}”",
  stopMail: "Get no more mail like this",

  lockedName: "your link with a password",
  sealedName: "your encrypted link",
  dashboard: "Open the dashboard",

  arrivedSubject: "{name} has arrived",
  arrivedManySubject: "{count, plural, one {# upload has arrived} other {# uploads have arrived}}",
  arrivedTitle: "It has arrived",
  arrivedText:
    "{count, plural, one {This upload is complete, and its link works:} other {These uploads are complete, and their links work:}}",

  downloadedSubject: "{name} was downloaded",
  downloadedTitle: "Your files were downloaded",
  downloadedText: "Downloads of {name}:",
  downloads: "{count, plural, one {# download} other {# downloads}}",
  downloadsOf: "{who}: {downloads}",
  anybody: "Somebody with the link",
  seeWho: "See who downloaded it",

  endingSubject: "The link from {sender} ends tomorrow",
  endingTitle: "The link ends tomorrow",
  endingText: "{sender} sent you {name}, and you have not downloaded it yet. The link works until {at}.",
  endingLocked:
    "{sender} sent you files behind a password, and you have not downloaded them yet. The link works until {at}.",
  endingOwnSubject: "{name} ends tomorrow",
  endingOwnManySubject: "{count, plural, one {# of your links ends tomorrow} other {# of your links end tomorrow}}",
  endingOwnTitle: "What ends tomorrow",
  endingOwnText:
    "{count, plural, one {The link ends then, and its files are deleted:} other {The links end then, and their files are deleted:}}",
  endingOwnHelp: "To keep the files longer, change the expiry before.",
  endingItem: "{name}: until {at}",
  keepLonger: "Keep files longer",

  receiptSubject: "{count, plural, one {Your file has} other {Your files have}} arrived",
  receiptText: "This was sent with {product}, and somebody gave this address for the receipt:",
  receiptItem: "{files}, {size}, on {at}",
  receiptNameless:
    "The files are not named here, because nobody has confirmed this address. If it is yours, you can have names and checksums in such mails from now on.",
  receiptConfirm: "Confirm this address",
  receiptIgnore: "You need not do anything. If you did not send this, ignore this mail.",

  daySubject: "Your day with {product}",
  dayTitle: "What happened to your files",
  dayDownloaded: "Downloaded:",
  dayReceived: "Sent to you:",
  dayItem: "{name}, {who}: {downloads}",

  receivedSubject: "{who} sent you files",
  receivedManySubject: "You received files {count, plural, one {# time} other {# times}}",
  receivedTitle: "Somebody sent you files",
  receivedText: "They came through your upload request. Names of senders are as they wrote them.",
  receivedItem: "{who}: {name} ({parts})",
  stranger: "Somebody",
  seeReceived: "See what came",
} as const;
