import { writeFileSync } from "node:fs";
import { compileCatalogues } from "#messages/catalogues.ts";

/**
 * Compiles the messages into build/messages.js. Runs as a process of its own, because a process that watches the
 * sources has the old modules cached.
 */
writeFileSync("build/messages.js", `export default ${JSON.stringify(compileCatalogues())};\n`);
