/** The landing page, including its text for crawlers. */
export const landing = {
  // The first screen
  send: "Send a file.",
  sayWhen: "Say when it’s\u00a0gone.",
  lead: "Drop a file of up to {size} for free, or a whole folder, and get a link at once: it works while the upload is still running.",
  /** For whoever has a plan that costs. */
  leadPaid:
    "Drop a file of up to {size}, or a whole folder, and get a link at once: it works while the upload is still running.",
  leadEnd: "When its time is up, everything is gone. To the second, for everyone.",
  // Features
  dayTitle: "A mayfly lives for a day. Your file can, too.",
  dayText: "Or for {shortest}, a year, or forever. Choose once, and never think about it again.",
  morning: "Morning",
  easyUpload: "Easy upload",
  easyUploadText:
    "Drop a file, many files or a folder on the page. They are sent in parts, straight to storage. If your Wi-Fi drops, only the lost part is sent again.",
  noon: "Noon",
  instantSharing: "Instant sharing",
  instantSharingText:
    "You have the link before the upload is done. Share it right away: recipients see the files arrive, can view them in the browser, take one or all of them, and need no account.",
  nightfall: "Nightfall",
  secure: "Secure and private",
  secureText:
    "Encrypted in transit and at rest, behind a link that cannot be guessed. The link expires at the second you chose, and the file is deleted from storage within minutes.",
  // Audiences
  audiences: "For files that have to arrive, and then have to go",
  businesses: "For businesses",
  businessesText:
    "Send offers, contracts and board papers with an expiry date. After that the link is dead for everyone, and no old attachment stays in anyone’s inbox.",
  businessesFile: "Offer 2114, signed.pdf",
  photographers: "For photographers",
  photographersText:
    "The whole selection in full size and in its folders: up to {files, number} pictures behind one link, each up to {size} on {plan}. JPEGs and PNGs can be viewed before they are downloaded, even on a phone.",
  photographersFile: "Wedding, selects.zip",
  videographers: "For videographers",
  videographersText:
    "Cuts of up to {size} on {plan}. If the connection breaks at ninety percent, the upload resumes at ninety percent: today, or tomorrow from another device.",
  videographersFile: "Rough cut 4, graded.mov",
  students: "For students",
  studentsText:
    "Hand in a thesis, share a recording. {plan}: up to {size} per file and {transfers} transfers a month, with nothing to install.",
  studentsFile: "Thesis, final final.pdf",
  goneAfter: "Gone after {expiration}",
  // What else it does
  more: "Open to whom you like. Closed to the rest.",
  folders: "Whole folders",
  foldersText:
    "Up to {files, number} files behind one link, in the folders they came in. Recipients take one, some or all of them, and a ZIP that breaks off resumes.",
  protection: "Passwords and limits",
  protectionText:
    "A link can ask for a password, and end after as many downloads as you say. A download that breaks off does not count.",
  encryption: "End-to-end encryption",
  encryptionText:
    "Switch it on, and names and contents are encrypted before they leave your device. The key is in your link alone, so we cannot read them. Uploads still resume, and previews still work.",
  requests: "Let others send to you",
  requestsText:
    "Make a link through which anybody can send you files, without an account. What arrives is in your dashboard, and nobody else sees it.",
  clients: "From a terminal, too",
  clientsText:
    "One line of curl sends a file. The command line sends folders, tus and ShareX work as they are, and the API tells your program about each download.",
  forDevelopers: "For developers",
  // The end of the page
  today: "Send it today.",
  tomorrow: "Forget it tomorrow.",
  planTakes: "{plan}: up to {size} per file",
  chooseFile: "Choose a file",
  comparePlans: "Compare the plans",
  // Hidden text for crawlers
  about:
    "{product} is a web service for sending files and folders: upload them, share one download link, and they expire automatically. {tagline}. {whoMayUpload} No account is needed to download.",
  accountNeeded: "You need a free account to upload.",
  noAccountNeeded: "You can upload files of up to {size} without an account.",
  planSummary:
    "{plan}: {price}, files of up to {size}, {month} and {transfers, number} uploads a month, longest expiry {longest}. Up to {files, number} files in one transfer.",
  free: "free",
  price: "{amount} a month",
} as const;
