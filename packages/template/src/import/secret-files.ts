/**
 * Converts the `secrets` of a Compose service to configuration files of the app. In Compose, each secret is a file in
 * the container.
 */
import type { DraftFile } from '../draft.ts';
import { isWithin } from '../rules/mount-path.ts';
import type { KnownDatabase } from './databases.ts';
import type { Inputs } from './inputs.ts';
import type { Teller } from './notes.ts';
import { secretPaths } from './secret-paths.ts';
import { at, type Values } from './values.ts';

/** File mode for secrets. In Compose, all users of the container can read a secret. */
const MODE = '0444';

interface SecretSources {
  root: Values;
  inputs: Inputs;
  databases: readonly KnownDatabase[];
}

/**
 * Returns configuration files of an app for the secrets of its Compose service. If a secret is the password of a
 * managed database, the file refers to this password. Any other secret becomes a template input.
 */
export function secretFilesOf(
  service: Values,
  { root, inputs, databases }: SecretSources,
  volumes: readonly { path: string }[],
  report: Teller,
): DraftFile[] {
  const files = new Map<string, DraftFile>();
  for (const { source, path } of secretPaths(service)) {
    const secret = at(root.secrets, source);
    const isHidden = path === null || volumes.some((volume) => isWithin(path, volume.path));
    if (isHidden || secret === undefined || at(secret, 'external') !== undefined) {
      report.leftOut(
        'secrets',
        `The value of “${source.slice(0, 60)}” is not in this file. Declare an input of type secret.`,
      );
      continue;
    }
    const owner = databases.find(({ passwordSecrets }) => passwordSecrets.includes(source));
    const input = owner === undefined ? inputs.secret(source, source) : '';
    files.set(path, {
      path,
      content: owner === undefined ? `\${input.${input}}` : `\${db.${owner.key}.password}`,
      mode: MODE,
    });
    const value = owner === undefined ? `the input “${input}”` : `the password of the database “${owner.key}”`;
    report.changed('secrets', `The file ${path} now contains ${value}. The value that Compose uses was not read.`);
  }
  return [...files.values()];
}
