/** What a key is used for, with everything filled in. */
export interface KeyUse {
  key: string;
  /** The instance's address, as this page was opened under. */
  origin: string;
  username: string;
  /** What the name of an image to push begins with. */
  registry: string;
}

/** A key on the command line would be kept in the shell's history: it is read from a prompt that shows nothing. */
export function loginLines({ origin, username, registry }: KeyUse): { davit: string; docker: string } {
  return { davit: `davit login ${origin}`, docker: `docker login ${registry} -u ${username}` };
}

/** The configuration of an MCP client that takes servers by address. */
export function mcpConfiguration({ key, origin }: KeyUse): string {
  const davit = { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } };
  return JSON.stringify({ mcpServers: { davit } }, null, 2);
}

/** For programs and pipelines. */
export function environmentLines({ key, origin }: KeyUse): string[] {
  return [`export DAVIT_URL=${origin}`, `export DAVIT_API_KEY=${key}`];
}
