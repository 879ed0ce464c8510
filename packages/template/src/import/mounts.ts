import { isWithin } from '../rules/mount-path.ts';
import { filesBelow, type LocalFile, type LocalFiles, relativePath } from './local-files.ts';
import { at, listOf, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

export interface Mount {
  kind: 'volume' | 'bind' | 'other';
  source: string;
  target: string;
  isReadOnly: boolean;
  /** Original source of the mount for messages, such as `$DATA/files`. */
  written: string;
}

/**
 * Mount of a Compose service. `isCode` is `true` if the source is inside the folder from which the service is built.
 */
type ServiceMount = Mount & { isCode: boolean };

/** Result of converting a mount of a host path: configuration files of the app, a volume, or nothing. */
export type Bind = { kind: 'files'; files: LocalFile[] } | { kind: 'volume' } | { kind: 'none' };

/**
 * Matches folders in which an image contains its programs and settings. An empty volume in such a folder would make
 * these files inaccessible.
 */
const OF_IMAGE = /^\/(?:etc|usr|bin|sbin|lib|docker-entrypoint)/;
/** Matches the end of a path to a file, such as `nginx.conf` or `Caddyfile`. */
const FILE_NAME = /\.[a-z0-9]{1,5}$|file$/i;

/** Returns whether a mounted folder contains settings and not data that the app writes. */
export function isSettings({ target, isReadOnly }: Pick<Mount, 'target' | 'isReadOnly'>): boolean {
  return isReadOnly || OF_IMAGE.test(target);
}

/** Returns the mounts of a Compose service. */
export function mountsOf(service: Values, variables: Variables): ServiceMount[] {
  const context = relativePath(textOf(service.build) ?? textOf(at(service.build, 'context')) ?? '');
  return listOf(service.volumes).map((entry) => {
    const mount = mountOf(entry, variables);
    const source = mount.kind === 'bind' ? relativePath(mount.source) : null;
    const isBelow = source !== null && context !== null && context !== '.' && isWithin(source, context);
    return { ...mount, isCode: context !== null && (source === context || isBelow) };
  });
}

/**
 * Returns the names of a Compose service's volumes. With these names, the import finds services that share a volume.
 */
export function volumeNames(service: Values, variables: Variables): string[] {
  return mountsOf(service, variables).flatMap(({ kind, source }) =>
    kind === 'volume' && source !== '' ? [source] : [],
  );
}

/**
 * Converts a mount of a host path. Settings in the folder of the Compose file become configuration files. A writable
 * folder with a relative path becomes a volume, so that the app keeps its data.
 */
export function bindOf({ source, target, isReadOnly, isCode }: ServiceMount, files: LocalFiles): Bind {
  if (isCode) return { kind: 'none' };
  const found = filesBelow(files, source);
  const isFile = found.some(({ below }) => below === '');
  if (found.length > 0 && (isFile || isSettings({ target, isReadOnly }))) return { kind: 'files', files: found };
  const isFolder = /^\.{1,2}(?:\/|$)/.test(source) && !FILE_NAME.test(source) && !FILE_NAME.test(target);
  return { kind: isFolder && !isReadOnly && !OF_IMAGE.test(target) ? 'volume' : 'none' };
}

function mountOf(entry: unknown, variables: Variables): Mount {
  const text = textOf(entry);
  if (text !== null) return { ...shortMount(variables.plain(text)), ...sourceAsWritten(text) };
  const named = (key: string) => variables.plain(textOf(at(entry, key)) ?? '');
  const [type, source, target] = [named('type'), named('source'), named('target')];
  const mount = { source, target, written: source, isReadOnly: at(entry, 'read_only') === true };
  if (type === 'volume' || (type === '' && !isHostPath(source))) return { kind: 'volume', ...mount };
  return { kind: type === 'bind' || type === '' ? 'bind' : 'other', ...mount };
}

/** Parses the short syntax of a Compose mount: `name:/path`, `/path`, `./folder:/path:ro`, or `C:\folder:/path`. */
function shortMount(text: string): Mount {
  const windows = /^[a-zA-Z]:[\\/]/.test(text) ? 2 : 0;
  const colon = text.indexOf(':', windows);
  if (colon < 0) return { kind: 'volume', source: '', target: text, isReadOnly: false, written: '' };
  const source = text.slice(0, colon);
  const [target = '', options = ''] = text.slice(colon + 1).split(':');
  const isReadOnly = options.split(',').includes('ro');
  return { kind: isHostPath(source) ? 'bind' : 'volume', source, target, isReadOnly, written: source };
}

function isHostPath(source: string): boolean {
  return /^(?:[./~]|[a-zA-Z]:[\\/])/.test(source);
}

/** Returns the unchanged source of a mount if the source starts with a Compose variable. */
function sourceAsWritten(text: string): { written?: string } {
  const [, written] = /^(\$.*?):(?=\/)/.exec(text) ?? [];
  return written === undefined ? {} : { written };
}
