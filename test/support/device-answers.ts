/** What programs and pages are told about a code: status and body. */
export const PENDING = [
  400,
  {
    code: "AUTHORIZATION_PENDING",
    error: "authorization_pending",
    message: "Nobody has agreed on the page yet. Ask again in a few seconds.",
  },
];
export const TOO_SOON = [
  400,
  {
    code: "SLOW_DOWN",
    error: "slow_down",
    message: "You asked again too soon. Leave five seconds more between two questions.",
  },
];
export const REFUSED = [
  400,
  { code: "ACCESS_DENIED", error: "access_denied", message: "This sign-in was refused on the page." },
];
export const EXPIRED = [
  400,
  {
    code: "EXPIRED_TOKEN",
    error: "expired_token",
    message: "This code has run out, or was used already. Begin the sign-in again.",
  },
];
export const UNKNOWN_CODE = [
  404,
  {
    code: "DEVICE_CODE_UNKNOWN",
    message: "There is no such code. Compare it with the one that the program shows.",
  },
];
export const ENDED_CODE = [
  410,
  {
    code: "DEVICE_CODE_ENDED",
    message: "This code has run out, or was used already. Begin the sign-in again in the program.",
  },
];
