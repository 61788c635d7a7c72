/** The features page's FAQ, also used for its structured data. */
export const faq = {
  account: "Do I need an account to upload?",
  accountAnswer:
    "Yes. An account is free and takes a minute: you need an email address and a password. You can choose your file first; it is uploaded automatically once you have signed up. Recipients do not need an account to download.",
  accountAnswerVisitors:
    "No. Without an account you can upload files of up to {size}, and they are kept for up to {expiry}. With a free account you can see, change and delete your files later. Recipients do not need an account to download.",
  size: "How large can my files be?",
  sizeAnswer:
    "Up to {free} per file on {freeName}, {professional} on {professionalName}, and {ultimate} on {ultimateName}. KB, MB, GB and TB count in steps of 1,024: a KB is 1,024 bytes.",
  many: "Can I send many files, or whole folders?",
  manyAnswer:
    "Yes. Drop them on the page together, and they get one link. A transfer holds up to {free} files on {freeName}, {professional} on {professionalName}, and {ultimate} on {ultimateName}. Recipients see the folders as you sent them, and take single files, a selection, or everything as a ZIP. A ZIP download that breaks off can be resumed where it stopped.",
  expiry: "How long are my files kept?",
  expiryAnswer:
    "You choose, from {shortest}: up to {free} on {freeName}, up to {professional} on {professionalName}, and {ultimate} on {ultimateName} if you wish. When the time is up, the link stops working at once, and the file is deleted from storage within minutes.",
  access: "Who can open my files?",
  accessAnswer:
    "Only people who have the link. Each link contains a random secret that cannot be guessed, and search engines are told not to list download pages. Files are encrypted in transit and at rest. You can delete a file at any time, and its link stops working at once.",
  protect: "Can I protect a link with a password?",
  protectAnswer:
    "Yes, on every plan. Choose “Protect the link” before you send, or later in the dashboard. A link can also end after as many downloads as you say; a download that breaks off does not count.",
  sealed: "Can you read my files?",
  sealedAnswer:
    "Not if you switch on end-to-end encryption, which every plan has. Names and contents are then encrypted on your device, and the key is in the link alone. Keep the link: without it nobody can open the files, and we cannot help either. The format is public, and a program that opens such links without this site can be downloaded.",
  requests: "Can others send files to me?",
  requestsAnswer:
    "Yes. Make a request in your dashboard and pass its link on: whoever has it can send you files without an account, and sees nothing else of yours. {freeName} has {free} open at a time, {professionalName} {professional}, and {ultimateName} {ultimate}. What arrives counts towards your month.",
  programs: "Can I send from a terminal or from my own program?",
  programsAnswer:
    "Yes, on every plan. Make a key on your account page: one line of curl sends a file, and the command line sends folders. tus, ShareX, an API and webhooks are explained on the page for developers.",
  connection: "What if my connection breaks during an upload?",
  connectionAnswer:
    "Nothing is lost. {product} sends large files in parts, and only the parts that did not arrive are sent again. You can even close the page: choose the same file or folder later, and the upload resumes where it stopped.",
} as const;
