import type { Catalogue } from "../messages.ts";
import { billing } from "./billing.ts";
import { common } from "./common.ts";
import { contact } from "./contact.ts";
import { content } from "./content.ts";
import { emailDiagnostic } from "./email-diagnostic.ts";
import { expirations } from "./expirations.ts";
import { faq } from "./faq.ts";
import { features } from "./features.ts";
import { landing } from "./landing.ts";
import { plans } from "./plans.ts";
import { pricing } from "./pricing.ts";
import { uploadPages } from "./upload-pages.ts";
import { uploads } from "./uploads.ts";

/** Everything that the interface says, in German. */
export const de: Catalogue = {
  billing,
  common,
  contact,
  content,
  emailDiagnostic,
  expirations,
  faq,
  features,
  landing,
  plans,
  pricing,
  uploadPages,
  uploads,
};
