import { common } from "./common.ts";
import { download } from "./download.ts";
import { expirations } from "./expirations.ts";
import { fileOrders } from "./file-orders.ts";
import { files } from "./files.ts";
import { reportReasons } from "./report-reasons.ts";

/** Everything that the interface says, in English. Each group goes to the pages that need it. */
export const en = {
  common,
  download,
  expirations,
  fileOrders,
  files,
  reportReasons,
} as const;
