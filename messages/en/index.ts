import { accountFields } from "./account-fields.ts";
import { account } from "./account.ts";
import { apiKeys } from "./api-keys.ts";
import { answers } from "./answers.ts";
import { billing } from "./billing.ts";
import { common } from "./common.ts";
import { contact } from "./contact.ts";
import { content } from "./content.ts";
import { deletion } from "./deletion.ts";
import { device } from "./device.ts";
import { download } from "./download.ts";
import { emailDiagnostic } from "./email-diagnostic.ts";
import { errors } from "./errors.ts";
import { expirations } from "./expirations.ts";
import { faq } from "./faq.ts";
import { features } from "./features.ts";
import { feed } from "./feed.ts";
import { fields } from "./fields.ts";
import { fileOrders } from "./file-orders.ts";
import { files } from "./files.ts";
import { guardedLinks } from "./guarded-links.ts";
import { guards } from "./guards.ts";
import { inputs } from "./inputs.ts";
import { landing } from "./landing.ts";
import { adminFactor } from "./admin-factor.ts";
import { adminLogin } from "./admin-login.ts";
import { adminRecords } from "./admin-records.ts";
import { admin } from "./admin.ts";
import { notices } from "./notices.ts";
import { ownFile } from "./own-file.ts";
import { plans } from "./plans.ts";
import { pricing } from "./pricing.ts";
import { recordFields } from "./record-fields.ts";
import { reportReasons } from "./report-reasons.ts";
import { dashboard } from "./dashboard.ts";
import { requestPage } from "./request-page.ts";
import { requests } from "./requests.ts";
import { received } from "./received.ts";
import { sealedLinks } from "./sealed-links.ts";
import { sealing } from "./sealing.ts";
import { security } from "./security.ts";
import { sharing } from "./sharing.ts";
import { signIn } from "./sign-in.ts";
import { noticeMails } from "./notice-mails.ts";
import { signInMails } from "./sign-in-mails.ts";
import { transferUpload } from "./transfer-upload.ts";
import { transfers } from "./transfers.ts";
import { unsubscribe } from "./unsubscribe.ts";
import { uploadPages } from "./upload-pages.ts";
import { uploads } from "./uploads.ts";
import { userFactor } from "./user-factor.ts";
import { webhooks } from "./webhooks.ts";

/** Each page loads only the groups it needs. */
export const en = {
  account,
  accountFields,
  answers,
  apiKeys,
  billing,
  common,
  contact,
  content,
  deletion,
  device,
  download,
  emailDiagnostic,
  errors,
  expirations,
  faq,
  features,
  feed,
  fields,
  fileOrders,
  files,
  guardedLinks,
  guards,
  inputs,
  landing,
  admin,
  adminFactor,
  adminLogin,
  adminRecords,
  notices,
  ownFile,
  plans,
  pricing,
  recordFields,
  reportReasons,
  dashboard,
  requestPage,
  requests,
  received,
  sealedLinks,
  sealing,
  security,
  sharing,
  signIn,
  noticeMails,
  signInMails,
  transferUpload,
  transfers,
  unsubscribe,
  uploadPages,
  uploads,
  userFactor,
  webhooks,
} as const;
