import { PRODUCT_NAME } from "./brand.ts";
import { expirationLabel, EXPIRATIONS } from "./expiry.ts";
import { longestExpiry } from "./facts.ts";
import { planOf } from "./plans.ts";
import { formatBytes } from "./units.ts";

export interface Question {
  question: string;
  answer: string;
}

const free = planOf("free");
const premium = planOf("professional");
const ultimate = planOf("ultimate");
const fileSize = ({ limits }: typeof free) => formatBytes(limits.fileSizeBytes);

/** The five questions of the features page, for people and, as structured data, for search engines. */
export const FAQ: readonly Question[] = [
  {
    question: "Do I need an account to upload?",
    answer: `Yes. An account is free and takes a minute: an email address and a password. Choose your file first if you like; it goes up by itself as soon as you have signed up. Whoever gets your link needs no account to download.`,
  },
  {
    question: "How large can my files be?",
    answer: `Up to ${fileSize(free)} a file on Free, ${fileSize(premium)} on Premium (the ${premium.name} plan), and ${fileSize(ultimate)} on Ultimate.`,
  },
  {
    question: "How long are my files kept?",
    answer: `As long as you say, from ${expirationLabel(EXPIRATIONS[0])} on: up to ${longestExpiry(free)} on Free, up to ${longestExpiry(premium)} on Premium, and ${longestExpiry(ultimate)} on Ultimate if you wish. From that second on the link opens nothing, and the file itself is deleted from storage within minutes.`,
  },
  {
    question: "Who can open my files?",
    answer: `Whoever has the link, and nobody else: each link holds a random secret that cannot be guessed, and search engines are told to keep download pages out. Files are encrypted on their way and in storage. You can delete a file at any moment, and its link ends at once.`,
  },
  {
    question: "What if my connection breaks while I upload?",
    answer: `Nothing is lost. ${PRODUCT_NAME} sends large files in parts, and only a part that did not arrive goes again. Close the page and choose the same file later, and it goes on from where it was.`,
  },
];
