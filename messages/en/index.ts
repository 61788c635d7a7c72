import { common } from "./common.ts";

/** Everything that the interface says, in English. Each group goes to the pages that need it. */
export const en = { common } as const;
