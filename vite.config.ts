import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
}

export default defineConfig({
  plugins: [
    tailwindcss(),
    remix({
      appDirectory: "app",
      buildDirectory: "build",
      future: {
        v3_fetcherPersist: true,
        v3_lazyRouteDiscovery: true,
        v3_relativeSplatPath: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_throwAbortReason: true,
      },
    }),
  ],
  resolve: { mainFields: ["browser", "module", "main"] },
  ssr: {
    // Bundled here, what is unused of them is left out of the Worker.
    noExternal: [/^@radix-ui\//, "@tanstack/react-query", "lucide-react"],
    resolve: { conditions: ["workerd", "worker", "browser", "module", "import"] },
  },
  build: { assetsInlineLimit: 0 },
});
