import type { Context } from '../declaration/context.ts';

/**
 * Returns the address of a section of the instance's help. For a Unix socket, this is only the path, because the CLI does
 * not know the address that a browser can open.
 */
export async function helpAddress({ connection }: Context, path: string | null): Promise<string | null> {
  const { url, socketPath } = await connection();
  return path === null || socketPath !== undefined ? path : `${url}${path}`;
}
