/** The chunked and the direct upload page, and the page for a shared file that no script received. */
export const uploadPages = {
  howItWorks: "How It Works",
  // Chunked upload
  chunkedTitle: "Large File Upload",
  chunkedLead: "Files up to {size} for free, in chunks of {chunk} or more.",
  chunkedTab: "Chunked Upload",
  chunkedCut:
    "Your file is split into chunks of {small}. A file above {smallUpTo} is split into chunks of {middle}, one above {middleUpTo} into chunks of {large}.",
  chunkedSent:
    "The chunks are sent through our server, one after the other. A chunk that fails is sent again, up to three times.",
  chunkedSafe: "A chunk that has arrived is stored and never has to be sent again.",
  chunkedJoined: "After the last chunk, the file is assembled and your link is ready.",
  loginRequired: "Login Required",
  signUp: "Sign Up",
  pleaseLogIn: "Please log in or sign up to upload this file ({size}).",
  fileWaits: "You are logged in. Choose your file ({size}) again to upload it.",
  // Direct upload
  directTitle: "Direct-to-S3 Upload",
  directLead: "The fastest way: straight from your browser to storage.",
  directTab: "Direct Upload",
  directSent: "Your browser sends the file straight to S3 object storage, several parts at a time.",
  directAddresses: "Each part has its own signed address, which is valid for one hour and for that part only.",
  directRepaired:
    "If your browser cannot reach storage, the storage settings are repaired once. If that does not help, the parts are sent through our server.",
  directJoined: "At the end, the parts are assembled in storage and your link is ready.",
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
  // Sign-in dialog
  login: "Login",
  cancel: "Cancel",
  // Shared by another app
  shareTitle: "Your file was not uploaded",
  shareText:
    "This browser could not pass the file on. Open the home page and choose the file there. Sharing from other apps works once you have opened the home page in this browser.",
  shareChoose: "Choose the file",
} as const;
