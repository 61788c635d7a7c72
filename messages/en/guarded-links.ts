/** The page of a link with a password or a download limit, as its recipients see it. */
export const guardedLinks = {
  protectedTransfer: "Protected transfer",
  protectedCard: "Open it with what the sender gave you.",
  enterPassword: "Enter the password that the sender gave you.",
  password: "Password",
  showPassword: "Show password",
  unlock: "Unlock",
  unlocking: "Unlocking…",
  lockedAgain: "This link is locked again. Enter the password to go on.",
  passwordMissing: "Enter the password.",
  cookiesNeeded:
    "This browser keeps no cookies of this site, so the link would stay locked. Allow them, and try again.",
  unlockFailed: "The link could not be unlocked. Please try again in a moment.",

  downloadsLeft:
    "{left, number} of {max, plural, one {# download} other {# downloads}} left. A broken download does not count.",
  noneForOthers: "No downloads are left for others, but you can go on here.",
  goOnUntil: "You can go on with this download until {time}.",
  ownUncounted: "Your own downloads are not counted.",
  lookingCounts: "Looking at it counts as a download.",
  busyUntil: "Somebody is downloading this right now. If they do not finish, it is free again at {time}.",
  notStarted: "The download could not be started. Please try again in a moment.",
  allMade: "All downloads made",
} as const;
