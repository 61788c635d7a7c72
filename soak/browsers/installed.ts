import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { MissingEngineError } from "./engine.ts";

/**
 * Finds a program.
 * @param engine the name in the error's message
 * @param names programs or paths, of which any will do
 * @param aptPackages Debian packages that contain the program
 * @returns the program's path
 * @throws MissingEngineError
 */
export async function installed(engine: string, names: string[], aptPackages: string): Promise<string> {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = names.flatMap((name) => (name.includes("/") ? [name] : folders.map((folder) => join(folder, name))));
  for (const path of paths) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new MissingEngineError(
    `${engine} is not installed (no ${names.join(" or ")}). On Debian: apt-get update && apt-get install ${aptPackages}. ` +
      "To leave it out, name the others: npm run soak -- browsers --only chromium.",
  );
}
