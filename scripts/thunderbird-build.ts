import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { zipSync } from "fflate";
import { THUNDERBIRD_VERSION, thunderbirdPackagePath } from "#domain/thunderbird-package.ts";
import { localesOf } from "../thunderbird/locales.ts";
import { MANIFEST } from "../thunderbird/manifest.ts";
import { runTool } from "./run-tool.ts";

const FOLDER = "build/thunderbird";
const SERVED = `build/client${thunderbirdPackagePath(THUNDERBIRD_VERSION)}`;

/** The earliest date that a ZIP can have. With a fixed date, the same sources make the same bytes. */
const DATE = new Date(1980, 0, 1);

/**
 * Builds the Thunderbird add-on, and packs it for this deployment to serve. Runs as a process of its own, because a
 * process that watches the sources has the old modules cached.
 */
runTool("vite", ["build", "--config", "thunderbird/vite.config.ts"]);
copyFileSync("public/icon-192.png", join(FOLDER, "icon.png"));
writeJson("manifest.json", MANIFEST);
for (const [locale, texts] of Object.entries(localesOf())) writeJson(`_locales/${locale}/messages.json`, texts);
rmSync(dirname(SERVED), { recursive: true, force: true });
mkdirSync(dirname(SERVED), { recursive: true });
writeFileSync(SERVED, packed());

function writeJson(path: string, value: unknown): void {
  const full = join(FOLDER, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, `${JSON.stringify(value, null, 2)}\n`);
}

/** All files of the folder in one ZIP, in the order of their names. */
function packed(): Uint8Array {
  const paths = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(FOLDER.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
  const files = Object.fromEntries(paths.map((path) => [path, new Uint8Array(readFileSync(join(FOLDER, path)))]));
  return zipSync(files, { level: 9, mtime: DATE });
}
