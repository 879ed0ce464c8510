/**
 * Lists of MCP tools. Users with different permissions get different lists. Each JSON schema is created only once,
 * because the creation is expensive and the result never changes.
 */
import type { Role } from '@davit/api';
import { type ListedTool, listed } from './schemas.ts';
import { isFor, TOOLS, type Tool } from './tools.ts';

/**
 * Lists of MCP tools, by permissions. The key consists of the user's role and whether the user has access to all
 * projects.
 */
const lists = new Map<string, ListedTool[]>();
const tools = new Map<string, ListedTool>();

/** Returns the MCP tools that a user may call. Users with the same permissions share one list. */
export function toolsFor(actor: { role: Role; projects: unknown }): ListedTool[] {
  const key = `${actor.role} ${actor.projects === null}`;
  const known = lists.get(key);
  if (known) return known;
  const made = TOOLS.filter((tool) => isFor(tool, actor)).map(once);
  lists.set(key, made);
  return made;
}

function once(tool: Tool): ListedTool {
  const made = tools.get(tool.name) ?? listed(tool);
  tools.set(tool.name, made);
  return made;
}
