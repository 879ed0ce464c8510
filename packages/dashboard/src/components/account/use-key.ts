/** Values that appear in the examples of an API key's use. */
export interface KeyUse {
  key: string;
  /** URL at which this page was opened. */
  origin: string;
  username: string;
  /** Prefix of the names of images to push. */
  registry: string;
}

/**
 * Returns login commands that read the key from a hidden prompt, because the history of the shell would store a key on
 * the command line.
 */
export function loginLines({ origin, username, registry }: KeyUse): { davit: string; docker: string } {
  return { davit: `davit login ${origin}`, docker: `docker login ${registry} -u ${username}` };
}

/** Returns the configuration for an MCP client that connects to servers by URL. */
export function mcpConfiguration({ key, origin }: KeyUse): string {
  const davit = { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } };
  return JSON.stringify({ mcpServers: { davit } }, null, 2);
}

/** Returns environment variables for programs and pipelines. */
export function environmentLines({ key, origin }: KeyUse): string[] {
  return [`export DAVIT_URL=${origin}`, `export DAVIT_API_KEY=${key}`];
}
