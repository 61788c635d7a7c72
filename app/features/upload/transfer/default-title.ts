import { FILENAME_MAX_LENGTH } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import type { TransferList } from "#engine/transfer/transfer-list.ts";
import { rootsOf } from "./list-draft.ts";

/** What a person would call these files. "" for an empty list. */
export function defaultTitle(list: TransferList, t: Translate<"transferUpload">): string {
  const [first = "", second = "", ...others] = rootsOf(list);
  if (second === "") return first;
  const title =
    others.length === 0 ? t("titleOfTwo", { first, second }) : t("titleOfMany", { first, count: others.length + 1 });
  return title.length > FILENAME_MAX_LENGTH ? first : title;
}
