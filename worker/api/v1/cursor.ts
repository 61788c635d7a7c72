import { localizedInputError } from "../../errors/translate-error.ts";

/** The number of the first file. @throws AppError BAD_REQUEST for a cursor that is not ours */
export function readCursor(cursor = "0"): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw localizedInputError("notCursor", { field: "cursor" }, { field: "cursor" });
}
