import { resolve } from "node:path";
import { defineConfig } from "vite";
import { schemasAsData } from "./schemas-as-data.ts";

const isArgon2 = (moduleId: string) => moduleId.includes("/hash-wasm/");

/** Files for Node 22 that need nothing installed: each command loads what it needs, and a password Argon2. */
export default defineConfig({
  plugins: [schemasAsData],
  publicDir: false,
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: resolve("cli/main.ts"),
    outDir: "build/cli",
    target: "node22",
    minify: "esbuild",
    rollupOptions: {
      output: {
        // Imports are a part of the size: a file imports what it uses itself, and small files are joined.
        hoistTransitiveImports: false,
        experimentalMinChunkSize: 40 * 1024,
        // Nobody looks at what import() gives but the program itself.
        freeze: false,
        generatedCode: { preset: "es2015", symbols: false },
        entryFileNames: "mayfly.js",
        chunkFileNames: ({ moduleIds }) => (moduleIds.some(isArgon2) ? "argon2.js" : "[name].js"),
        banner: ({ isEntry }) => (isEntry ? "#!/usr/bin/env node" : ""),
      },
    },
  },
});
