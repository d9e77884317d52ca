import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { transformAsync } from "@babel/core";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Files that compress well. Fonts and images are compressed already. */
const TEXT = /\.(js|css|svg)$/;

const compress = promisify(brotliCompress);

/** Writes a compressed copy beside each text that it makes shorter, so that the server compresses nothing. */
function brotli(): Plugin {
  return {
    name: "brotli",
    apply: "build",
    // Not before: other plugins still change the files while they are bundled.
    async writeBundle({ dir = "dist" }, bundle) {
      const names = Object.keys(bundle).filter((name) => TEXT.test(name));
      await Promise.all(names.map((name) => writeCompressed(join(dir, name))));
    },
  };
}

async function writeCompressed(path: string) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const bytes = await readFile(path);
  const compressed = await compress(bytes, { params });
  if (compressed.length < bytes.length) await writeFile(`${path}.br`, compressed);
}

/** Components and hooks that draw again only what follows from what changed. */
function reactCompiler(): Plugin {
  return {
    name: "react-compiler",
    enforce: "pre",
    transform: {
      // Files with hooks or elements.
      filter: { id: /\/src\/.*\.tsx?$/, code: /\buse[A-Z]|\/>|<\// },
      handler: (code, id) =>
        transformAsync(code, {
          filename: id,
          babelrc: false,
          configFile: false,
          parserOpts: { plugins: ["jsx", "typescript"] },
          plugins: ["babel-plugin-react-compiler"],
          sourceMaps: true,
        }).then((done) => (done?.code ? { code: done.code, map: done.map } : undefined)),
    },
  };
}

const server = process.env["STOCKROOM_URL"] ?? "http://127.0.0.1:4000";

export default defineConfig({
  // The server writes `<base href>`, so one build works below any path.
  base: "./",
  plugins: [reactCompiler(), react(), brotli()],
  resolve: { alias: { "~": fileURLToPath(new URL("src", import.meta.url)) } },
  build: {
    target: "es2023",
    // An inlined asset is a `data:` URL, which the policy refuses for scripts and styles.
    assetsInlineLimit: 0,
    sourcemap: false,
  },
  test: { include: ["src/**/*.test.ts"] },
  server: {
    proxy: Object.fromEntries(
      ["/rest", "/docs", "/healthz", "/readyz", "/metrics"].map((path) => [path, server]),
    ),
  },
});
