import { resolve } from "node:path";
import { defineConfig } from "vite";

/** One file for Node 22 that needs nothing installed. */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: resolve("cli/main.ts"),
    outDir: "build/cli",
    target: "node22",
    minify: "esbuild",
    rollupOptions: {
      output: { entryFileNames: "mayfly.js", inlineDynamicImports: true, banner: "#!/usr/bin/env node" },
    },
  },
});
