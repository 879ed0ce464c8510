import type { DraftFile, DraftVolume } from '../draft.ts';
import { cleanMountPath, isWithin } from '../rules/mount-path.ts';
import type { Teller } from './notes.ts';
import { at, listOf, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

interface Mount {
  kind: 'volume' | 'bind' | 'other';
  source: string;
  target: string;
  isReadOnly: boolean;
}

/** Returns the named volumes of a Compose service. Mounts of host folders are left out with a note. */
export function volumesOf(service: Values, variables: Variables, report: Teller): DraftVolume[] {
  const paths = new Set<string>();
  for (const entry of listOf(service.volumes)) {
    const { kind, source, target, isReadOnly } = mountOf(entry, variables);
    if (kind === 'volume' && isReadOnly)
      report.leftOut('volumes', `The app can write to ${shown(target)}, because a volume cannot be read-only.`);
    if (target === '') report.leftOut('volumes', 'One of the volumes has no `target`.');
    else if (kind === 'bind') report.leftOut('volumes', bound(source, target, sourceAsWritten(entry) ?? source));
    else if (kind === 'other') report.leftOut('volumes', `The mount at ${shown(target)} is not a volume or a folder.`);
    else addVolume(target, paths, report);
  }
  if (paths.size > 0)
    report.carried(
      'volumes',
      `${paths.size === 1 ? 'One volume is' : `${paths.size} volumes are`} converted to \`volumes\`.`,
    );
  if (listOf(service.tmpfs).length > 0) report.leftOut('tmpfs', 'An app cannot have tmpfs mounts.');
  return [...paths].map((path) => ({ path }));
}

/** Returns the names of a Compose service's volumes. The import uses them to find services that share a volume. */
export function volumeNames(service: Values, variables: Variables): string[] {
  return listOf(service.volumes).flatMap((entry) => {
    const { kind, source } = mountOf(entry, variables);
    return kind === 'volume' && source !== '' ? [source] : [];
  });
}

function addVolume(target: string, paths: Set<string>, report: Teller): void {
  const clean = cleanMountPath(target);
  if (clean === null) report.leftOut('volumes', `“${shown(target)}” is not a valid path of a volume.`);
  else paths.add(clean);
}

function mountOf(entry: unknown, variables: Variables): Mount {
  const text = textOf(entry);
  if (text !== null) return shortMount(variables.plain(text));
  const named = (key: string) => variables.plain(textOf(at(entry, key)) ?? '');
  const [type, source, target] = [named('type'), named('source'), named('target')];
  const isReadOnly = at(entry, 'read_only') === true;
  if (type === 'volume' || (type === '' && !isHostPath(source))) return { kind: 'volume', source, target, isReadOnly };
  return { kind: type === 'bind' || type === '' ? 'bind' : 'other', source, target, isReadOnly };
}

/** Parses the short form of a Compose mount: `name:/path`, `/path`, `./folder:/path:ro`, or `C:\folder:/path`. */
function shortMount(text: string): Mount {
  const windows = /^[a-zA-Z]:[\\/]/.test(text) ? 2 : 0;
  const colon = text.indexOf(':', windows);
  if (colon < 0) return { kind: 'volume', source: '', target: text, isReadOnly: false };
  const source = text.slice(0, colon);
  const [target = '', options = ''] = text.slice(colon + 1).split(':');
  const isReadOnly = options.split(',').includes('ro');
  return { kind: isHostPath(source) ? 'bind' : 'volume', source, target, isReadOnly };
}

function isHostPath(source: string): boolean {
  return /^(?:[./~]|[a-zA-Z]:[\\/])/.test(source);
}

/**
 * Returns the source of a Compose mount as written, such as `$DATA/files`, for messages, or `null` if the source begins
 * with no variable.
 */
function sourceAsWritten(entry: unknown): string | null {
  const [, source] = /^(\$.*?):(?=\/)/.exec(textOf(entry) ?? '') ?? [];
  return source ?? null;
}

function bound(source: string, target: string, written: string): string {
  if (/^\/etc\/(?:localtime|timezone)$/.test(source))
    return 'The app does not use the time zone of the server. Set `TZ` in `env`.';
  if (/docker\.sock$|podman\.sock$/.test(source)) return 'Apps have no access to Docker.';
  const from = `${shown(written)} is a path of the server, which an app cannot access`;
  if (/\.[a-z]{2,5}$/i.test(target)) return `${from}. Add the file to \`files\` with the path ${shown(target)}.`;
  return `${from}. Use a volume at ${shown(target)}, or copy the folder into the image.`;
}

/**
 * Converts the `configs` of a Compose service to files. Leaves out, with a note, configs without content in the file or
 * with an invalid path.
 */
export function filesOf(
  service: Values,
  root: Values,
  volumes: readonly DraftVolume[],
  variables: Variables,
  report: Teller,
): DraftFile[] {
  const files = new Map<string, DraftFile>();
  for (const entry of listOf(service.configs)) {
    const source = textOf(entry) ?? textOf(at(entry, 'source')) ?? '';
    const path = cleanMountPath(textOf(at(entry, 'target')) ?? `/${source}`);
    const content = textOf(at(at(root.configs, source), 'content'));
    const isHidden = path === null || volumes.some((volume) => isWithin(path, volume.path));
    if (!content || path === null || isHidden || content.length > 60_000) {
      report.leftOut(
        'configs',
        `The content of ${shown(source)} is not in this file, or its path is not valid. Add it to \`files\`.`,
      );
    } else {
      files.set(path, { path, content: variables.mark(content) });
      report.carried('configs', `${shown(source)} is converted to \`files\` with the path ${shown(path)}.`);
    }
  }
  return [...files.values()];
}

function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
