/** The five questions of the features page, for people and, as structured data, for search engines. */
export const faq = {
  account: "Do I need an account to upload?",
  accountAnswer:
    "Yes. An account is free and takes a minute: an email address and a password. Choose your file first if you like; it goes up by itself as soon as you have signed up. Whoever gets your link needs no account to download.",
  accountAnswerVisitors:
    "No. Without an account you can upload files of up to {size}, and they are kept for up to {expiry}. An account is free and takes a minute: with it you can see, change and delete your files later. Whoever gets your link needs no account to download.",
  size: "How large can my files be?",
  sizeAnswer:
    "Up to {free} a file on {freeName}, {professional} on {professionalName}, and {ultimate} on {ultimateName}.",
  expiry: "How long are my files kept?",
  expiryAnswer:
    "As long as you say, from {shortest} on: up to {free} on {freeName}, up to {professional} on {professionalName}, and {ultimate} on {ultimateName} if you wish. From that second on the link opens nothing, and the file itself is deleted from storage within minutes.",
  access: "Who can open my files?",
  accessAnswer:
    "Whoever has the link, and nobody else: each link holds a random secret that cannot be guessed, and search engines are told to keep download pages out. Files are encrypted on their way and in storage. You can delete a file at any moment, and its link ends at once.",
  connection: "What if my connection breaks while I upload?",
  connectionAnswer:
    "Nothing is lost. {product} sends large files in parts, and only a part that did not arrive goes again. Close the page and choose the same file later, and it goes on from where it was.",
} as const;
