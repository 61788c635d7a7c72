import type { Catalogue } from "../messages.ts";
import { common } from "./common.ts";
import { download } from "./download.ts";
import { expirations } from "./expirations.ts";
import { fileOrders } from "./file-orders.ts";
import { files } from "./files.ts";
import { reportReasons } from "./report-reasons.ts";

/** Everything that the interface says, in German. */
export const de: Catalogue = {
  common,
  download,
  expirations,
  fileOrders,
  files,
  reportReasons,
};
