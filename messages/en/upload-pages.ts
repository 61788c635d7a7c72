/** The pages of the two ways to upload, and where a file that another app shared arrives when no script took it. */
export const uploadPages = {
  howItWorks: "How It Works",
  // In chunks
  chunkedTitle: "Large File Upload",
  chunkedLead: "Files up to {size} for free, in chunks of {chunk}.",
  chunkedTab: "Chunked Upload",
  chunkedCut: "Your file is cut into chunks of {chunk}, larger ones for larger files.",
  chunkedSent:
    "The chunks go through our own server, one after the other. One that fails goes again, up to three times.",
  chunkedSafe: "A chunk that has arrived is safe: whatever happens afterwards, it need not be sent again.",
  chunkedJoined: "When the last one is there, they are put together, and your link leads to the file.",
  loginRequired: "Login Required",
  signUp: "Sign Up",
  pleaseLogIn: "Please log in or sign up to upload this file ({size}).",
  fileWaits: "You are signed in. Choose your file ({size}) once more to upload it.",
  // Straight to storage
  directTitle: "Direct-to-S3 Upload",
  directLead: "The fastest way: from your browser straight into storage.",
  directTab: "Direct Upload",
  directSent: "Your browser sends the file straight to S3 object storage, in parts and several at a time.",
  directAddresses: "Each part has an address of its own that works for one hour, for that part alone.",
  directRepaired:
    "Where your browser cannot reach storage, the storage settings are repaired once; where that does not help, the parts go through our server.",
  directJoined: "Whatever way they took, the parts are put together in storage, and your link leads to the file.",
  accountRequired: "Account Required",
  createAccount: "Create Account",
  needAccount: "You need an account to upload this file ({size}).",
  methodIs: "Method: {method}",
  methodServer: "Processing on the server",
  methodDirect: "Direct browser to storage",
  methodProxy: "Server proxy",
  partsStored: "{completed, number} of {total, plural, one {# part} other {# parts}} stored",
  currentPart: "current part {percent} %",
  fixCors: "Manually Fix S3 CORS",
  fixing: "Fixing…",
  corsUpdated: "CORS settings updated",
  corsFailed: "CORS update failed",
  corsError: "CORS update error",
  corsErrorText: "Failed to update S3 CORS settings. Please try again later.",
  // Asked to sign in
  login: "Login",
  cancel: "Cancel",
  // Shared by another app
  shareTitle: "Your file is still with you",
  shareText:
    "This browser could not hand the file over, and nothing was uploaded. Open the home page, choose the file there, and it goes on its way. Sharing works once the home page has been open in this browser for a moment.",
  shareChoose: "Choose the file",
} as const;
