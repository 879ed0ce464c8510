import { allows, leastRole, narrower, ROLES, type Role } from '@davit/api';
import { whoCan } from '../../layout/who-can.ts';

/** Values that are inserted into examples that show how to use an API key. */
export interface KeyUse {
  key: string;
  /** Origin of the dashboard's URL, for example `https://davit.example.com`. */
  origin: string;
  username: string;
  /** Address of the instance's registry. The names of images that users push begin with this address. */
  registry: string;
}

/**
 * Returns shell commands for a login with an API key. The commands do not contain the API key, because the shell saves
 * commands in its history. The user types the API key when a command prompts for it.
 */
export function loginLines({ origin, username, registry }: KeyUse): { davit: string; docker: string } {
  return { davit: `davit login ${origin}`, docker: `docker login ${registry} -u ${username}` };
}

/**
 * Returns the reason why an API key with a role cannot push images, or `null` if it can push images.
 * @param own role of the user, who cannot create a key with more permissions
 */
export function whyNoPush(role: Role, own: Role): string | null {
  if (allows(role, 'operate')) return null;
  const others = whoCan(own, 'operate', 'push images');
  return `This key can only read. ${others ?? `To push images, create a key with the role ${leastRole('operate')}.`}`;
}

/** Returns the preselected role of a new API key. A key cannot have more permissions than the role of its user. */
export function firstRole(wanted: string, own: Role): Role {
  return narrower(ROLES.find((role) => role === wanted) ?? 'viewer', own);
}

/** Returns the JSON configuration for MCP clients that connect to servers by URL. */
export function mcpConfiguration({ key, origin }: KeyUse): string {
  const davit = { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } };
  return JSON.stringify({ mcpServers: { davit } }, null, 2);
}

/** Returns shell commands that set the environment variables for the API. */
export function environmentLines({ key, origin }: KeyUse): string[] {
  return [`export DAVIT_URL=${origin}`, `export DAVIT_API_KEY=${key}`];
}
