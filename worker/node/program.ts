import type { InlineConfig } from 'vite'

/** Settings of a build for Node that needs no `node_modules`: `entry`, a whole path, becomes `NAME.mjs` in `out`. */
export function programBuild(root: string, out: string, name: string, entry: string): InlineConfig {
  return {
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    // `pg` looks for its native version and works without it.
    ssr: { noExternal: true, external: ['pg-native'], target: 'node' },
    build: {
      ssr: true,
      target: 'node24',
      outDir: out,
      emptyOutDir: false,
      minify: false,
      sourcemap: true,
      rolldownOptions: { input: { [name]: entry } },
    },
  }
}
