import { common } from "./common.ts";
import { expirations } from "./expirations.ts";
import { faq } from "./faq.ts";
import { features } from "./features.ts";
import { landing } from "./landing.ts";
import { uploadPages } from "./upload-pages.ts";
import { uploads } from "./uploads.ts";

/** Everything that the interface says, in English. Each group goes to the pages that need it. */
export const en = {
  common,
  expirations,
  faq,
  features,
  landing,
  uploadPages,
  uploads,
} as const;
