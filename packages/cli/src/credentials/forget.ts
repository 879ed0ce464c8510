import { noSuchContext } from './choose.ts';
import { readCredentials, writeCredentials } from './store.ts';

/**
 * Removes a context from credentials.json. If only one context remains, it becomes the current context.
 * @throws CliError with exit `usage` if the context does not exist
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
