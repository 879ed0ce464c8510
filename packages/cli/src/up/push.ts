/**
 * Pushes an image to the registry of the instance. The password is an API key, which is never stored in the user's
 * Docker configuration.
 */
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../errors/exit.ts';
import { type ProgramOptions, runByLines } from './program.ts';

export interface PushAs {
  username: string;
  password: string;
}

interface Push {
  imageId: string;
  /** Host name and port of the registry, such as `localhost:5000`. */
  registry: string;
  /** Repository of the app's images in the registry: `project/environment/app`. */
  repository: string;
  tag: string;
}

/**
 * Pushes an image.
 * @returns the digest of the image. `null` if Docker does not print the digest
 * @throws CliError with exit `failed` and the registry's error message
 */
export async function pushImage(
  { imageId, registry, repository, tag }: Push,
  as: PushAs,
  /** Configuration folder of the user's Docker client. The CLI never changes this folder. */
  dockerConfig: string,
  options: ProgramOptions,
): Promise<string | null> {
  const name = `${registry}/${repository}:${tag}`;
  const tagged = await runByLines('docker', ['tag', imageId, name], { signal: options.signal });
  if (tagged.code !== 0)
    throw new CliError('failed', `The image could not be tagged as ${name}: ${tagged.tail.at(-1)}`);
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
 * Creates a temporary Docker configuration for one push. Therefore, the API key is neither in command-line arguments
 * nor in the user's Docker configuration.
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

/**
 * Returns the Docker context that the user selected with `docker context use`. Returns `null` for the default Docker
 * context.
 */
async function chosenContext(dockerConfig: string): Promise<string | null> {
  try {
    const config = JSON.parse(await readFile(join(dockerConfig, 'config.json'), 'utf8')) as {
      currentContext?: unknown;
    };
    return typeof config.currentContext === 'string' ? config.currentContext : null;
  } catch {
    /*
     * A missing or invalid Docker configuration is ignored here. For an invalid configuration, Docker itself reports
     * the error.
     */
    return null;
  }
}

/** Returns the image digest from an output line of `docker push`, such as `v1: digest: sha256:… size: 528`. */
export function digestIn(lines: readonly string[]): string | null {
  for (const line of lines.toReversed()) {
    const found = /\bdigest: (sha256:[0-9a-f]{64})\b/.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/** Returns the last line of Docker's output without the prefix `error:` or `error response from daemon:`. */
function reason(tail: readonly string[]): string {
  return (tail.at(-1) ?? 'no error message').replace(/^(error( response from daemon)?: )+/i, '');
}
