import { posix } from 'node:path';
import { interpolated, itemsOf, mappingOf, textOf } from '../compose.ts';
import { type Part, type Verdict, verdictOf } from '../part.ts';

interface Mount {
  /** A named or anonymous volume, or a writable folder beside the Compose file that holds data of the app. */
  isVolume: boolean;
  source: string;
  target: string;
}

export function checkVolumes(part: Part, value: unknown): Verdict {
  const code = codeOf(part.service.values.build);
  const mounts = itemsOf(value)
    .map(mountOf)
    .filter(({ source }) => code === null || !isBelow(source, code));
  if (part.kind === 'database')
    return mounts.every(({ target }) => target.startsWith('/docker-entrypoint')) ? 'none' : 'correct';
  const wanted = mounts.filter(({ target }) => target.startsWith('/'));
  const volumes = new Set(pathsIn(part.made.volumes));
  const files = new Set(pathsIn(part.made.files));
  const counted = wanted.filter((mount) => mount.isVolume || filesBelow(part, mount).length > 0);
  if (part.kind !== 'app' || counted.length === 0) return 'none';
  const differences = counted.flatMap((mount) =>
    mount.isVolume
      ? [mount.target].filter((path) => !volumes.has(posix.normalize(path).replace(/(.)\/$/, '$1')))
      : filesBelow(part, mount).filter((path) => !files.has(path)),
  );
  return verdictOf(differences.map((path) => `${path} is missing`));
}

/** Returns the folder that an image is built from, or `null`. A mount of this folder replaces the code in the image. */
function codeOf(build: unknown): string | null {
  const context = textOf(build) || textOf(mappingOf(build).context);
  return context === '' || context.includes('://') ? null : folderOf(context);
}

function isBelow(source: string, code: string): boolean {
  const path = folderOf(source);
  return path === code || (code !== '.' && path.startsWith(`${code}/`));
}

function folderOf(path: string): string {
  return posix.normalize(path).replace(/(.)\/$/, '$1');
}

/** Returns the paths in the container of the files that a mount of a folder or a file contains. */
function filesBelow({ files }: Part, { source, target }: Mount): string[] {
  const from = posix.normalize(source).replace(/^\.\/|\/$/g, '');
  return Object.keys(files).flatMap((path) => {
    if (path === from) return [target];
    return path.startsWith(`${from}/`) ? [posix.join(target, path.slice(from.length))] : [];
  });
}

export function checkConfigs({ kind, made, root }: Part, value: unknown): Verdict {
  const paths = itemsOf(value).flatMap((entry) => {
    const { source = entry, target = `/${textOf(source)}` } = mappingOf(entry);
    return textOf(mappingOf(mappingOf(root.configs)[textOf(source)]).content) === '' ? [] : [textOf(target)];
  });
  if (kind !== 'app' || paths.length === 0) return 'none';
  return verdictOf(paths.filter((path) => !pathsIn(made.files).includes(path)).map((path) => `${path} is missing`));
}

export function checkSecrets({ kind, made, root }: Part, value: unknown): Verdict {
  const paths = itemsOf(value).flatMap((entry) => {
    const { source = entry, target = source } = mappingOf(entry);
    const { external } = mappingOf(mappingOf(root.secrets)[textOf(source)]);
    return external === undefined ? [posix.resolve('/run/secrets', textOf(target))] : [];
  });
  if (kind !== 'app') return kind === 'database' ? 'correct' : 'none';
  if (paths.length === 0) return 'none';
  return verdictOf(paths.filter((path) => !pathsIn(made.files).includes(path)).map((path) => `${path} is missing`));
}

function pathsIn(value: unknown): string[] {
  return itemsOf(value).map((one) => textOf(mappingOf(one).path));
}

/** Reads the short and the long form of a mount. */
function mountOf(entry: unknown): Mount {
  const long = mappingOf(entry);
  if (Object.keys(long).length > 0) {
    const [source, target] = [interpolated(textOf(long.source)), interpolated(textOf(long.target))];
    const isNamed = long.type === 'volume' || (long.type === undefined && !isPath(source));
    const isData = long.type !== 'tmpfs' && isDataFolder(source, target, long.read_only === 'true');
    return { isVolume: isNamed || isData, source, target };
  }
  const parts = interpolated(textOf(entry)).split(':');
  const [source = '', target = source, options = ''] = parts;
  const isNamed = parts.length === 1 || !isPath(source);
  return { isVolume: isNamed || isDataFolder(source, target, options.split(',').includes('ro')), source, target };
}

/** Folders of the image and paths with the name of a file are settings. Davit does not hide them with a volume. */
function isDataFolder(source: string, target: string, isReadOnly: boolean): boolean {
  if (isReadOnly || !/^\.{1,2}(?:\/|$)/.test(source)) return false;
  const isFile = [source, target].some((path) => /\.[A-Za-z0-9]{1,5}$|file$/i.test(path));
  return !isFile && !/^\/(?:etc|usr|s?bin|lib|docker-entrypoint)/.test(target);
}

function isPath(source: string): boolean {
  return /^[./~]/.test(source) || /^[A-Za-z]$/.test(source);
}
