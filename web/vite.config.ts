/* How the page is built: plain files under dist/, every script and style a file of its own, because
 * the service forbids inline ones. `npm run dev` serves the sources and passes /api on to a running
 * warplored (WARPLORE_URL, else the default address). */
import { defineConfig } from "vite";

export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": process.env["WARPLORE_URL"] ?? "http://127.0.0.1:8787" } },
});
