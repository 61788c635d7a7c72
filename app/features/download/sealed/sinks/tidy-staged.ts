import { stageFolder, tidyStage } from "./stage-store.ts";
import { flagStaged } from "./staged-flag.ts";

/** Removes opened files that are not needed any more. @throws DOMException where this browser has no stage */
export async function tidyStaged(): Promise<void> {
  flagStaged(await tidyStage(await stageFolder(), Date.now()));
}
