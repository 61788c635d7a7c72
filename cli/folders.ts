import { homedir } from "node:os";
import { join } from "node:path";

const NAME = "mayfly";

/** Where the key is kept. */
export function configFolder(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  if (process.platform === "win32" && APPDATA) return join(APPDATA, NAME);
  return join(XDG_CONFIG_HOME || join(homedir(), ".config"), NAME);
}

/** Where unfinished uploads are remembered. */
export function stateFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  if (process.platform === "win32" && LOCALAPPDATA) return join(LOCALAPPDATA, NAME);
  return join(XDG_STATE_HOME || join(homedir(), ".local", "state"), NAME);
}
