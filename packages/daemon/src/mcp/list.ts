/**
 * Lists of MCP tools, in pages. A list depends on the user's permissions and on the toolsets that the client chose.
 * Each JSON schema is created only once, because its creation needs much CPU time and the result never changes.
 */
import type { Role } from '@davit/api';
import type { ListToolsResult } from '@modelcontextprotocol/server';
import { type ListedTool, listed, listedWithOutput } from './schemas.ts';
import { isFor, TOOLS, type Tool } from './tools.ts';
import { isChosen, type ToolChoice } from './toolsets.ts';

/**
 * Maximum size in bytes of the tools on a page as JSON. With the rest of the message, the response is smaller than 64
 * KiB.
 */
const PAGE_BYTES = 62 * 1024;

interface Entry {
  tool: ListedTool;
  /** Size of the tool as JSON, in bytes. */
  bytes: number;
}

/** Cached entries of the tool list, by tool name. Only entries in `whole` contain the JSON schema of the result. */
const entries = { brief: new Map<string, Entry>(), whole: new Map<string, Entry>() };

/**
 * Returns a page of the tool list. The list contains the tools that the client chose and the user may call.
 * @param cursor `nextCursor` of the previous page: the name of the first tool of this page
 * @returns `null` if the cursor is not valid
 */
export function toolPage(
  actor: { role: Role; projects: unknown },
  choice: ToolChoice,
  cursor: string | undefined,
): ListToolsResult | null {
  const start = cursor === undefined ? 0 : TOOLS.findIndex(({ name }) => name === cursor);
  if (start < 0) return null;
  const tools: ListedTool[] = [];
  let size = 0;
  for (const tool of TOOLS.slice(start)) {
    if (!isFor(tool, actor) || !isChosen(tool, choice)) continue;
    const entry = entryOf(tool, choice);
    size += entry.bytes;
    if (tools.length > 0 && size > PAGE_BYTES) return { tools, nextCursor: tool.name };
    tools.push(entry.tool);
  }
  return { tools };
}

function entryOf(tool: Tool, { outputSchemas }: ToolChoice): Entry {
  const known = outputSchemas ? entries.whole : entries.brief;
  const found = known.get(tool.name);
  if (found !== undefined) return found;
  const made = outputSchemas ? listedWithOutput(tool) : listed(tool);
  // Add one byte for the comma after the tool in the JSON list.
  const entry = { tool: made, bytes: Buffer.byteLength(JSON.stringify(made)) + 1 };
  known.set(tool.name, entry);
  return entry;
}
