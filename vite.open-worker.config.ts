import { defineConfig } from "vite";

/** The service worker of encrypted links: one classic script, since Firefox had no modules there before 147. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "build/client",
    emptyOutDir: false,
    target: "es2022",
    lib: {
      entry: "app/features/download/sealed/stream/open-worker.ts",
      formats: ["iife"],
      name: "openWorker",
      fileName: () => "open-worker.js",
    },
  },
});
