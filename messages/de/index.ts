import type { Catalogue } from "../messages.ts";
import { account } from "./account.ts";
import { common } from "./common.ts";
import { download } from "./download.ts";
import { errors } from "./errors.ts";
import { expirations } from "./expirations.ts";
import { fields } from "./fields.ts";
import { fileOrders } from "./file-orders.ts";
import { files } from "./files.ts";
import { officeLogin } from "./office-login.ts";
import { officeRecords } from "./office-records.ts";
import { office } from "./office.ts";
import { reportReasons } from "./report-reasons.ts";
import { signIn } from "./sign-in.ts";

/** Everything that the interface says, in German. */
export const de: Catalogue = {
  account,
  common,
  download,
  errors,
  expirations,
  fields,
  fileOrders,
  files,
  office,
  officeLogin,
  officeRecords,
  reportReasons,
  signIn,
};
