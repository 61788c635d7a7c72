export const scanMails = {
  infectedSubject: "A virus scanner found something in {name}",
  infectedTitle: "Your link is closed",
  infectedText: "Our virus scanner found “{finding}” in {name}.",
  infectedEntryText: "Our virus scanner found “{finding}” in {path}, which is part of {name}.",
  infectedClosed: "Only you and the administrators can open the link now. Nothing was deleted.",
  infectedHelp:
    "If you do not know the file, it may have come from a program on your computer: have that computer checked. If you think that the scanner is wrong, answer this mail. Otherwise please delete the link.",
  openLink: "Look at the link",
} as const;
