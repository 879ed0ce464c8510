import type { DraftVolume } from '../draft.ts';
import { cleanMountPath } from '../rules/mount-path.ts';
import type { LocalFiles } from './local-files.ts';
import { bindOf, mountsOf } from './mounts.ts';
import type { Teller } from './notes.ts';
import { listOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

/** Returns the volumes of an app. Mounts of other host paths are omitted, with a note. */
export function volumesOf(service: Values, files: LocalFiles, variables: Variables, report: Teller): DraftVolume[] {
  const paths = new Set<string>();
  for (const mount of mountsOf(service, variables)) {
    const { kind, source, target, isReadOnly, written } = mount;
    if (kind === 'volume' && isReadOnly)
      report.leftOut('volumes', `The app can write to ${shown(target)}, because a volume cannot be read-only.`);
    if (target === '') report.leftOut('volumes', 'One of the volumes has no `target`.');
    else if (kind === 'other') report.leftOut('volumes', `The mount at ${shown(target)} is not a volume or a folder.`);
    else if (kind === 'volume') addVolume(target, paths, report);
    else {
      const bind = bindOf(mount, files);
      if (bind.kind === 'none') report.leftOut('volumes', bound(source, target, written));
      if (bind.kind !== 'volume') continue;
      report.changed('volumes', `${shown(written)} is now a volume at ${shown(target)}. Its files are not copied.`);
      addVolume(target, paths, report);
    }
  }
  if (paths.size > 0)
    report.carried(
      'volumes',
      `${paths.size === 1 ? 'One volume is' : `${paths.size} volumes are`} converted to \`volumes\`.`,
    );
  if (listOf(service.tmpfs).length > 0) report.leftOut('tmpfs', 'An app cannot have tmpfs mounts.');
  return [...paths].map((path) => ({ path }));
}

function addVolume(target: string, paths: Set<string>, report: Teller): void {
  const clean = cleanMountPath(target);
  if (clean === null) report.leftOut('volumes', `“${shown(target)}” is not a valid path of a volume.`);
  else paths.add(clean);
}

function bound(source: string, target: string, written: string): string {
  if (/^\/etc\/(?:localtime|timezone)$/.test(source))
    return 'The app does not use the time zone of the server. Set `TZ` in `env`.';
  if (/docker\.sock$|podman\.sock$/.test(source)) return 'Apps have no access to Docker.';
  const from = `${shown(written)} is a path of the server, which an app cannot access`;
  if (/\.[a-z]{2,5}$/i.test(target)) return `${from}. Add the file to \`files\` with the path ${shown(target)}.`;
  return `${from}. Use a volume at ${shown(target)}, or copy the folder into the image.`;
}

function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
