/** The features page, without its questions. */
export const features = {
  title: "Everything a file needs on its way",
  lead: "And nothing it needs afterwards: when its time is up, it is gone, for everyone.",
  features: "Features",
  drop: "Drag-and-drop upload",
  dropText: "Drop a file on the page, or choose it. Up to {size} a file for free.",
  encrypted: "Encrypted transfer and storage",
  encryptedText:
    "Files are encrypted on their way to us, where they are kept, and on their way to whoever downloads them.",
  links: "Instant shareable links",
  linksText: "The link is there when the upload begins. Send it right away: whoever opens it sees the file arrive.",
  expiry: "Custom expiry",
  expiryText:
    "From {shortest} to {free} for free, up to {professional} on {professionalName}, {ultimate} on {ultimateName}.",
  devices: "Access from any device",
  devicesText: "A browser is all it takes, on a phone as on a desktop. Nothing to install on either side.",
  chunks: "Chunked uploads for very large files",
  chunksText: "Up to {largest}, in pieces. A piece that fails goes again, and only that piece.",
  preview: "In-browser preview",
  previewText: "Pictures, video, audio, PDF and text can be looked at on the download page before they are downloaded.",
  questions: "Questions and answers",
  comparePlans: "Compare the plans",
  firstLink: "Your first link is a minute away",
  firstLinkText: "Choose a file, say how long it lives, send the link.",
  startUploading: "Start Uploading",
} as const;
