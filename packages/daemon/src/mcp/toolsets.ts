/**
 * Toolsets are groups of MCP tools. A client chooses toolsets in the address of the endpoint, for example
 * `/mcp?tools=default,databases`. The choice limits only the list of tools, because long lists fill the context of an
 * AI model. It does not limit permissions. A client may also call a tool that its list does not contain.
 */
import { allOperations, invalidField, type Operation } from '@davit/api';
import { quote } from '@davit/service';
import type { Tool } from './tools.ts';

/** Toolsets and options that a client chose in the URL query. */
export interface ToolChoice {
  toolsets: readonly string[];
  /** Whether the list contains the JSON schemas of the results. With these schemas, the list is much larger. */
  outputSchemas: boolean;
}

const DEFAULT = 'default';
const ALL = 'all';

/**
 * Tools of the default set that make changes. With these tools, an AI agent can deploy, roll back or restart an app.
 */
const DEFAULT_CHANGES: readonly string[] = ['deploy_app', 'rollback_app', 'restart_app'];

/**
 * Returns the toolset of an operation, which is the operation's group in the API document, for example `object_stores`.
 */
export function toolsetOf({ tag }: Operation): string {
  return tag.toLowerCase().replaceAll(' ', '_');
}

const OF_OPERATIONS = new Set(allOperations.filter(({ tool }) => tool !== undefined).map(toolsetOf));

/** Names that the query parameter `tools` accepts. */
export const TOOLSETS: readonly string[] = [DEFAULT, ALL, ...[...OF_OPERATIONS].sort()];

/**
 * Returns whether a tool is in the default set. The set contains read tools that every role can use, and tools for the
 * most common changes.
 */
export function isDefault({ name, operation }: Pick<Tool, 'name' | 'operation'>): boolean {
  return (operation.effect === 'read' && operation.permission === 'read') || DEFAULT_CHANGES.includes(name);
}

/**
 * Reads the chosen tools from the query string of a request to the MCP endpoint. Ignores other query parameters.
 * @throws DavitError invalid_input for an unknown toolset
 */
export function toolChoice(query: string): ToolChoice {
  const parameters = new URLSearchParams(query);
  const names = parameters
    .getAll('tools')
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !TOOLSETS.includes(name));
  if (unknown !== undefined) {
    const message = `contains the unknown toolset “${quote(unknown)}”. The toolsets are ${TOOLSETS.join(', ')}.`;
    throw invalidField('tools', 'invalid_value', message);
  }
  return { toolsets: names.length === 0 ? [DEFAULT] : names, outputSchemas: outputSchemas(parameters) };
}

export function isChosen(tool: Tool, { toolsets }: ToolChoice): boolean {
  if (toolsets.includes(ALL) || toolsets.includes(toolsetOf(tool.operation))) return true;
  return toolsets.includes(DEFAULT) && isDefault(tool);
}

function outputSchemas(parameters: URLSearchParams): boolean {
  const value = parameters.get('output_schemas') ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidField('output_schemas', 'invalid_value', 'must be true or false.');
}
