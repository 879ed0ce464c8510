import type { Context } from '../declaration/context.ts';

/**
 * Returns the URL of a section in the instance's help. For a Unix socket, returns only the path, because the CLI does
 * not know a URL that a browser can open.
 */
export async function helpAddress({ connection }: Context, path: string | null): Promise<string | null> {
  const { url, socketPath } = await connection();
  return path === null || socketPath !== undefined ? path : `${url}${path}`;
}
