import { noSuchContext } from './choose.ts';
import { readCredentials, writeCredentials } from './store.ts';

/**
 * Takes a context out of the file. Of those that are left none becomes the current one by itself, unless it is alone.
 * @throws CliError usage when there is none of that name
 */
export async function forgetContext(configDir: string, name: string): Promise<void> {
  const credentials = await readCredentials(configDir);
  if (!Object.hasOwn(credentials.contexts, name)) throw noSuchContext(name, credentials);
  const { [name]: _forgotten, ...contexts } = credentials.contexts;
  const [first, ...others] = Object.keys(contexts);
  const alone = others.length === 0 ? (first ?? null) : null;
  const current = credentials.current === name ? alone : credentials.current;
  await writeCredentials(configDir, { current, contexts });
}
