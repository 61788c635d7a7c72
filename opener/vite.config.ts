import { resolve } from "node:path";
import { defineConfig } from "vite";

/** One file for Node 20 that needs nothing installed. Vite's own build empties the folder before this one adds to it. */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: resolve("opener/main.ts"),
    outDir: "build/client",
    emptyOutDir: false,
    target: "node20",
    // Whoever runs it instead of trusting the page may want to read it.
    minify: false,
    rollupOptions: {
      output: { entryFileNames: "mayfly-open.mjs", inlineDynamicImports: true, banner: "#!/usr/bin/env node" },
    },
  },
});
