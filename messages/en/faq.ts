/** The features page's FAQ, also used for its structured data. */
export const faq = {
  account: "Do I need an account to upload?",
  accountAnswer:
    "Yes. An account is free and takes a minute: you need an email address and a password. You can choose your file first; it is uploaded automatically once you have signed up. Recipients do not need an account to download.",
  accountAnswerVisitors:
    "No. Without an account you can upload files of up to {size}, and they are kept for up to {expiry}. With a free account you can see, change and delete your files later. Recipients do not need an account to download.",
  size: "How large can my files be?",
  sizeAnswer:
    "Up to {free} per file on {freeName}, {professional} on {professionalName}, and {ultimate} on {ultimateName}.",
  many: "Can I send many files, or whole folders?",
  manyAnswer:
    "Yes. Drop them on the page together, and they get one link. A transfer holds up to {free} files on {freeName}, {professional} on {professionalName}, and {ultimate} on {ultimateName}. Recipients see the folders as you sent them, and take single files, a selection, or everything as a ZIP. A ZIP download that breaks off can be resumed where it stopped.",
  expiry: "How long are my files kept?",
  expiryAnswer:
    "You choose, from {shortest}: up to {free} on {freeName}, up to {professional} on {professionalName}, and {ultimate} on {ultimateName} if you wish. When the time is up, the link stops working at once, and the file is deleted from storage within minutes.",
  access: "Who can open my files?",
  accessAnswer:
    "Only people who have the link. Each link contains a random secret that cannot be guessed, and search engines are told not to list download pages. Files are encrypted in transit and at rest. You can delete a file at any time, and its link stops working at once.",
  connection: "What if my connection breaks during an upload?",
  connectionAnswer:
    "Nothing is lost. {product} sends large files in parts, and only the parts that did not arrive are sent again. You can even close the page: choose the same file or folder later, and the upload resumes where it stopped.",
} as const;
