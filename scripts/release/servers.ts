/** Bundles the servers of a release: each script that Node starts becomes one file of plain JavaScript. */
import { join, relative, resolve } from 'node:path';
import { dirname } from 'node:path/posix';
import { build, type Plugin } from 'esbuild';
import { packageFolders } from '../bundle/packages.ts';
import { asciiOf, httpWithoutFetch, onlyEnglish, ownSources, SERVER_BUNDLE } from '../bundle/plugins.ts';
import { bundledName, findReferences } from './references.ts';

export interface Servers {
  /** Code of each bundle, by its path in the release. */
  bundles: Map<string, string>;
  /** Paths or patterns of other files that the bundles read, relative to the repository. */
  files: Set<string>;
  /** Files of packages that the bundles read, in the form of an import. */
  packageFiles: Set<string>;
  /** Folders of the npm packages in the bundles. */
  packages: Set<string>;
}

/** Packages with machine code. They cannot be in a bundle. */
const EXTERNAL = ['sharp'];

/**
 * Returns where a file of a package is in a release. A release keeps the folders of the repository, so that each bundle
 * finds the files beside its sources.
 */
export function releasePath(path: string): string {
  return path.replace(/^packages\//, 'lib/');
}

/**
 * Bundles scripts and all scripts that they start.
 * @param root the repository
 * @param entries paths of the first scripts, relative to the repository
 */
export async function bundleServers(root: string, entries: readonly string[]): Promise<Servers> {
  const servers: Servers = { bundles: new Map(), files: new Set(), packageFiles: new Set(), packages: new Set() };
  const waiting = [...entries];
  const known = new Set(entries);
  const start = (script: string) => {
    if (known.has(script)) return;
    known.add(script);
    waiting.push(script);
  };
  for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
    servers.bundles.set(releasePath(bundledName(entry)), await bundle(root, entry, servers, start));
  }
  return servers;
}

async function bundle(root: string, entry: string, servers: Servers, start: (script: string) => void): Promise<string> {
  const folder = dirname(releasePath(entry));
  const locate = (path: string) => relative(folder, releasePath(relative(root, path)));
  const prepare = (text: string, path: string) => {
    const found = findReferences(text, relative(root, path));
    for (const script of found.scripts) start(script);
    for (const file of found.files) servers.files.add(file);
    for (const file of found.packageFiles) servers.packageFiles.add(file);
    return found.text;
  };
  const { outputFiles, metafile } = await build({
    ...SERVER_BUNDLE,
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: join(root, releasePath(bundledName(entry))),
    external: EXTERNAL,
    metafile: true,
    plugins: [afterFirstFile(root, start), ownSources(locate, prepare), onlyEnglish, httpWithoutFetch],
  });
  for (const found of packageFolders(Object.keys(metafile.inputs).map((path) => resolve(root, path))))
    servers.packages.add(found);
  return asciiOf(outputFiles[0]?.text ?? '');
}

/**
 * Keeps the code that a first file in plain JavaScript loads in a separate bundle. The compile cache, which the first
 * file turns on, applies only to files that Node loads later.
 */
function afterFirstFile(root: string, start: (script: string) => void): Plugin {
  return {
    name: 'after-first-file',
    setup(bundler) {
      bundler.onResolve({ filter: /^\.\/.*\.ts$/ }, ({ path, kind, importer, resolveDir }) => {
        if (kind !== 'dynamic-import' || !importer.endsWith('.mjs')) return null;
        start(relative(root, join(resolveDir, path)));
        return { path: bundledName(path), external: true };
      });
    },
  };
}
