import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

const backend = process.env.COUNTERSIGN_URL ?? "http://127.0.0.1:8000";

export default defineConfig(({ command }) => ({
  plugins: [svelte(), svelteTesting()],
  base: command === "build" ? "/static/app/" : "/",
  build: {
    outDir: "../static/app",
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: { input: "src/main.ts" },
  },
  server: { proxy: { "/api": backend, "/ws": { target: backend, ws: true } } },
  // One window for all files, in an order of chance: making one for each takes most of the time there is.
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.ts"],
    setupFiles: ["vitest.setup.ts"],
    isolate: false,
    sequence: { shuffle: true },
  },
}));
