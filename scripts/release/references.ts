/**
 * Finds the files that a source reads or starts at run time. A release contains these files too. A reference in another
 * form than those below is an error, so that no release lacks a file.
 */
import { dirname, join, normalize } from 'node:path';

export interface References {
  /** Scripts that run in a worker or a child process. Each gets a bundle of its own. */
  scripts: string[];
  /** Paths or patterns of other files. */
  files: string[];
  /** Files of packages, in the form of an import. */
  packageFiles: string[];
  /** The source with the names of the bundled scripts. */
  text: string;
}

const QUOTED = String.raw`(['"\`])([^'"\`]+)\1`;
const BESIDE = [
  new RegExp(String.raw`new URL\(\s*${QUOTED},\s*import\.meta\.url\)`, 'g'),
  new RegExp(String.raw`join\(\s*import\.meta\.dirname,\s*${QUOTED}\)`, 'g'),
];
const IN_PACKAGE = new RegExp(String.raw`import\.meta\.resolve\(\s*${QUOTED}\)`, 'g');
/** The caller of this function passes the name of a package, which the list of packages of the release contains. */
const BY_NAME = /\(name\) => import\.meta\.resolve\(name\)/g;

/** Returns the name of the bundle of a source: `worker.ts` becomes `worker.js`. */
export function bundledName(path: string): string {
  return path.replace(/\.ts$/, '.js');
}

/**
 * Returns what a source refers to.
 * @param path path of the source; the returned paths have the same base
 * @throws Error for a reference in an unknown form
 */
export function findReferences(text: string, path: string): References {
  const found: References = { scripts: [], files: [], packageFiles: [], text };
  for (const pattern of BESIDE) {
    found.text = found.text.replaceAll(pattern, (whole, _quote, name: string) => {
      const target = normalize(join(dirname(path), name.replaceAll(/\$\{[^}]*\}/g, '*')));
      found[/\.(ts|mjs)$/.test(name) ? 'scripts' : 'files'].push(target);
      return whole.replace(name, bundledName(name));
    });
  }
  for (const [, , name = ''] of text.matchAll(IN_PACKAGE)) found.packageFiles.push(name);
  const rest = [...BESIDE, IN_PACKAGE, BY_NAME].reduce((left, pattern) => left.replaceAll(pattern, ''), text);
  if (/\bimport\.meta\b/.test(rest)) throw new Error(`${path} refers to a file in a form that no release can include.`);
  return found;
}
