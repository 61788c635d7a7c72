import { resolve } from "node:path";
import { defineConfig } from "vite";

/**
 * One file for Node 20 that needs nothing installed. The site's build has to run first, as that build empties the
 * folder.
 */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: resolve("opener/main.ts"),
    outDir: "build/client",
    emptyOutDir: false,
    target: "node20",
    // People who run the opener instead of trusting the page may want to read its code.
    minify: false,
    rollupOptions: {
      output: { entryFileNames: "mayfly-open.mjs", inlineDynamicImports: true, banner: "#!/usr/bin/env node" },
    },
  },
});
