import { resolve } from "node:path";
import { defineConfig } from "vite";
import { schemasAsData } from "./schemas-as-data.ts";

const isArgon2 = (moduleId: string) => moduleId.includes("/hash-wasm/");

/**
 * Builds files for Node 22 that need nothing installed. A command loads only its modules, and Argon2 for a password.
 */
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
        // Imports add to the size, so a file imports only what it uses itself, and small files are joined.
        hoistTransitiveImports: false,
        experimentalMinChunkSize: 40 * 1024,
        // Only the program itself reads the namespaces that import() gives.
        freeze: false,
        generatedCode: { preset: "es2015", symbols: false },
        entryFileNames: "mayfly.js",
        chunkFileNames: ({ moduleIds }) => (moduleIds.some(isArgon2) ? "argon2.js" : "[name].js"),
        banner: ({ isEntry }) => (isEntry ? "#!/usr/bin/env node" : ""),
      },
    },
  },
});
