/** The tools as they are listed. A schema is long to make and never changes: each is made once, with the first list. */
import type { Role } from '@davit/api';
import { type ListedTool, listed } from './schemas.ts';
import { isFor, TOOLS, type Tool } from './tools.ts';

/** By role, and whether every project is seen. */
const lists = new Map<string, ListedTool[]>();
const tools = new Map<string, ListedTool>();

/** The tools for who has these rights: the same list for all who have the same. */
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
