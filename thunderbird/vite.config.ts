import { resolve } from "node:path";
import { defineConfig } from "vite";
import { schemasAsData } from "../cli/schemas-as-data.ts";

const names = { entryFileNames: "[name].js", chunkFileNames: "[name].js", assetFileNames: "[name].[ext]" };

/** Builds the pages of the add-on, for the oldest Thunderbird that the manifest allows. */
export default defineConfig({
  root: resolve("thunderbird"),
  plugins: [schemasAsData],
  publicDir: false,
  build: {
    outDir: resolve("build/thunderbird"),
    emptyOutDir: true,
    target: "firefox128",
    modulePreload: false,
    rollupOptions: {
      input: [resolve("thunderbird/background.html"), resolve("thunderbird/settings.html")],
      output: names,
    },
  },
  worker: { format: "es", rollupOptions: { output: names } },
});
