/** The landing page, and what it says of the product to those who read the document alone. */
export const landing = {
  // The first screen
  send: "Send a file.",
  sayWhen: "Say when it’s\u00a0gone.",
  lead: "Drop a file of up to {size} for free and get a link at once: it works from the first byte. When its time is up, the file is gone. To the second, for everyone.",
  // A file's day
  dayTitle: "A mayfly lives for a day. Your file may, too.",
  dayText: "Or for {shortest}, or a year, or for good. You say so once, and never have to think of it again.",
  morning: "Morning",
  easyUpload: "Easy upload",
  easyUploadText:
    "Drop a file on the page, or choose it. It travels in parts, straight into storage. If the Wi-Fi breaks, only the part that was lost goes again.",
  noon: "Noon",
  instantSharing: "Instant sharing",
  instantSharingText:
    "The link is there before the file is. Send it right away: whoever opens it sees the file arrive, looks at it in the browser, and needs no account.",
  nightfall: "Nightfall",
  secure: "Secure and private",
  secureText:
    "Encrypted on its way and at rest, behind a link that cannot be guessed. At the second you chose it ends, and the bytes are deleted within minutes.",
  // Who sends what
  audiences: "For work that has to arrive, and then has to go",
  businesses: "For businesses",
  businessesText:
    "Offers, contracts and board papers leave with a date on them. When it has passed the link is dead for everyone, and no old attachment waits in anybody’s inbox.",
  businessesFile: "Offer 2114, signed.pdf",
  photographers: "For photographers",
  photographersText:
    "The whole selection at full size, up to {size} in one file on {plan}. A single picture is shown before it is downloaded, on a phone as well.",
  photographersFile: "Wedding, selects.zip",
  videographers: "For videographers",
  videographersText:
    "Cuts of up to {size} on {plan}. If the line breaks at ninety percent, the upload goes on from ninety percent: today, or tomorrow from another device.",
  videographersFile: "Rough cut 4, graded.mov",
  students: "For students",
  studentsText:
    "Hand in a thesis, pass on a recording. {plan}, up to {size} a file and {transfers} files a month, with nothing to install for anybody.",
  studentsFile: "Thesis, final final.pdf",
  goneAfter: "Gone after {expiration}",
  // The end of the page
  today: "Send it today.",
  tomorrow: "Forget it tomorrow.",
  planTakes: "{plan}: up to {size} a file",
  chooseFile: "Choose a file",
  comparePlans: "Compare the plans",
  // In the document alone
  about:
    "{product} is a web service for sending files: upload a file, share its download link, and the file expires by itself. {tagline}. {whoMayUpload} Nobody needs one to download.",
  accountNeeded: "You need an account to upload; it is free.",
  noAccountNeeded: "You can upload files of up to {size} without an account.",
  planSummary:
    "{plan}: {price}, files of up to {size}, {month} and {transfers, number} uploads a month, kept for at most {longest}.",
  free: "free",
  price: "{amount} a month",
} as const;
