import type { Catalogue } from "../messages.ts";
import { common } from "./common.ts";

/** Everything that the interface says, in German. */
export const de: Catalogue = { common };
