export const features = {
  title: "Everything a file needs on its way",
  lead: "And when its time is up, it is gone for everyone.",
  features: "Features",
  moreFeatures: "And more",
  drop: "Drag-and-drop upload",
  dropText: "Drop files or whole folders on the page, or choose them. Up to {size} per file for free.",
  encrypted: "Encrypted transfer and storage",
  encryptedText: "Files are encrypted during the upload, in storage and during the download.",
  links: "Instant shareable links",
  linksText:
    "You get the link as soon as the upload starts. Share it right away: recipients can watch the file arrive.",
  many: "Many files, one link",
  manyText:
    "Up to {most, number} files in one transfer, with their folders. Recipients take one file, a selection, or everything as a ZIP. A ZIP download that breaks off can be resumed.",
  guards: "Passwords and download limits",
  guardsText:
    "A link can ask for a password, and end after as many downloads as you say. A download that breaks off does not count. Change both at any time.",
  sealed: "End-to-end encryption",
  sealedText:
    "Switch it on, and names and contents are encrypted before they leave your device. The key is in the link alone. Uploads resume, and previews work, all the same.",
  expiry: "Custom expiry",
  expiryText:
    "From {shortest} to {free} for free, up to {professional} on {professionalName}, {ultimate} on {ultimateName}.",
  devices: "Access from any device",
  devicesText: "A browser is all you need, on a phone or a computer. There is nothing to install on either side.",
  chunks: "Chunked uploads for very large files",
  chunksText: "Up to {largest}, in chunks. If a chunk fails, only that chunk is sent again.",
  preview: "In-browser preview",
  previewText: "Recipients can view images, video, audio, PDF and text on the download page before they download.",
  requests: "Requests for files",
  requestsText:
    "Let anybody send you files through a link of yours, without an account. You say how much may come, and for how long.",
  clients: "Command line, curl and API",
  clientsText:
    "Send from a terminal, from ShareX, or from your own program, with tus, an API and webhooks. A key takes a minute.",
  questions: "Questions and answers",
  moreQuestions: "More questions",
  comparePlans: "Compare the plans",
  firstLink: "Your first link is a minute away",
  firstLinkText: "Choose your files, set an expiry, share the link.",
  startUploading: "Start Uploading",
} as const;
