/** The page that signs a program in, `/device`. */
export const device = {
  title: "Sign in a program",
  lead: "Your program shows a code. Enter it here, and the program may send files for you.",
  code: "Code",
  codeHint: "Eight letters, such as BCDF-GHJK.",
  codeWrong: "Enter the eight letters that the program shows. No vowels are among them.",
  next: "Continue",
  checking: "Checking…",
  tryAgain: "This did not work. Please try again.",

  confirmTitle: "Sign in “{name}”?",
  device: "Device",
  address: "Its address",
  askedAt: "Asked on",
  may: "It may do this for {time}:",
  warning:
    "Agree only if you have just typed “mayfly login” or chosen “Sign in” in Thunderbird yourself. If somebody has sent you this code, refuse: they could send and delete files in your name.",
  approve: "Sign in",
  refuse: "Refuse",
  working: "One moment…",
  other: "Enter another code",

  approvedTitle: "“{name}” is signed in",
  approvedHelp:
    "The program goes on within a few seconds. You can close this page. On your account page you can end it.",
  refusedTitle: "You have refused",
  refusedHelp:
    "The program gets nothing. If somebody has sent you the code, do not trust them with other codes either.",
  account: "Go to your account",
} as const;
