import { writeFileSync } from "node:fs";
import { compileCatalogues } from "#messages/catalogues.ts";

/**
 * Compiles the messages into build/messages.js. Runs as its own process because a watching process has the old modules
 * cached.
 */
writeFileSync("build/messages.js", `export default ${JSON.stringify(compileCatalogues())};\n`);
