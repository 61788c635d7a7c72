import { writeFileSync } from "node:fs";
import { compileCatalogues } from "#messages/catalogues.ts";

/** Writes the catalogues, parsed. A process of its own: one that watches has read them before they changed. */
writeFileSync("build/messages.js", `export default ${JSON.stringify(compileCatalogues())};\n`);
