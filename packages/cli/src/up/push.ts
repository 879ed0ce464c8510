/** Pushes an image to the instance's registry, with the key of the context and without leaving it anywhere. */
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../errors/exit.ts';
import { type ProgramOptions, runByLines } from './program.ts';

export interface PushAs {
  username: string;
  /** The API key. */
  password: string;
}

interface Push {
  imageId: string;
  /** `localhost:5000`. */
  registry: string;
  /** `project/environment/app`. */
  repository: string;
  tag: string;
}

/**
 * @param dockerConfig the person's own folder of the Docker client, which is read and never written
 * @returns the digest that was pushed; null when the client did not say
 * @throws CliError failed, with the registry's words
 */
export async function pushImage(
  { imageId, registry, repository, tag }: Push,
  as: PushAs,
  dockerConfig: string,
  options: ProgramOptions,
): Promise<string | null> {
  const name = `${registry}/${repository}:${tag}`;
  const tagged = await runByLines('docker', ['tag', imageId, name], { signal: options.signal });
  if (tagged.code !== 0) throw new CliError('failed', `The image could not be named ${name}: ${tagged.tail.at(-1)}`);
  const folder = await credentialsFolder(registry, as, dockerConfig);
  try {
    const { code, tail } = await runByLines('docker', ['--config', folder, 'push', name], options);
    if (code !== 0) throw new CliError('failed', `The image could not be pushed to ${registry}: ${reason(tail)}`);
    return digestIn(tail);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A folder for one push: the key for this registry, and the engine that the person chose. It is ours alone (mkdtemp),
 * and gone after the push, so that the key is neither in arguments nor in his own configuration.
 */
async function credentialsFolder(
  registry: string,
  { username, password }: PushAs,
  dockerConfig: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-push-'));
  try {
    await chmod(folder, 0o700);
    const auth = Buffer.from(`${username}:${password}`).toString('base64');
    const currentContext = await chosenContext(dockerConfig);
    const config = { auths: { [registry]: { auth } }, ...(currentContext !== null && { currentContext }) };
    await writeFile(join(folder, 'config.json'), JSON.stringify(config), { mode: 0o600 });
    await symlink(join(dockerConfig, 'contexts'), join(folder, 'contexts'));
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The engine that `docker context use` chose; null: the usual one. */
async function chosenContext(dockerConfig: string): Promise<string | null> {
  try {
    const config = JSON.parse(await readFile(join(dockerConfig, 'config.json'), 'utf8')) as {
      currentContext?: unknown;
    };
    return typeof config.currentContext === 'string' ? config.currentContext : null;
  } catch {
    // No file, or one that Docker itself complains about in better words.
    return null;
  }
}

/** `v1: digest: sha256:… size: 528` */
export function digestIn(lines: readonly string[]): string | null {
  for (const line of lines.toReversed()) {
    const found = /\bdigest: (sha256:[0-9a-f]{64})\b/.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/** What the client says last; its usual beginning says nothing. */
function reason(tail: readonly string[]): string {
  return (tail.at(-1) ?? 'the client did not say why').replace(/^(error( response from daemon)?: )+/i, '');
}
