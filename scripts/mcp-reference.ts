/**
 * Returns the page of MCP tools: the operations that agents can use, their arguments, and why agents cannot use the
 * others.
 */
import { allOperations, leastRole, type OperationId } from '../packages/api/src/index.ts';
import { NO_TOOL, NO_TOOL_REASONS } from '../packages/api/src/no-tools.ts';
import { inputSchema } from '../packages/daemon/src/mcp/schemas.ts';
import { TOOLS, type Tool } from '../packages/daemon/src/mcp/tools.ts';
import { isDefault, toolsetOf } from '../packages/daemon/src/mcp/toolsets.ts';

export function mcpReference(): string {
  return `# MCP tools

AI agents call these tools at the MCP endpoint of an instance
([how to connect](../how-to/connect-ai-clients-with-mcp.md)). Each tool runs one operation of the API, with the same
permissions, checks, errors and audit log.

- Tools identify an app by “project/environment/app”, and an environment by “project/environment”.
- Tools that create a resource, such as create_app, take the plain names of the project and the environment.
- A tool that lists resources returns them in the \`items\` field. The \`next\` field has the cursor of the next page.
- An agent sees only the tools that its role allows. The create_project tool also needs access to all projects.
- By default, an agent sees only the tools with “yes” in the column “default”. It can
  [choose more toolsets](../how-to/connect-ai-clients-with-mcp.md#choose-the-tools).

The table lists all MCP tools. An asterisk marks required arguments. The effect column shows whether a tool reads,
changes or destroys data.

A tool that destroys data requires a confirmation. To confirm, set the argument \`confirm\` to the same value as the
tool's first argument, for example \`shop/production/web\`.

| tool | arguments | effect | role | toolset | default |
| --- | --- | --- | --- | --- | --- |
${TOOLS.map(row).join('\n')}

## Operations without a tool

${reasons()}
`;
}

const DOES = { read: 'reads', write: 'changes', destroy: 'destroys' };

function row(tool: Tool): string {
  const { properties, required } = inputSchema(tool);
  const names = Object.keys(properties).map((name) => `\`${name}\`${required.includes(name) ? '*' : ''}`);
  const { effect, permission, summary } = tool.operation;
  return `| \`${tool.name}\`: ${summary.toLowerCase()} | ${names.join(' ')} | ${DOES[effect]} | ${leastRole(permission)} | \`${toolsetOf(tool.operation)}\` | ${isDefault(tool) ? 'yes' : 'no'} |`;
}

function reasons(): string {
  const ids = allOperations.map(({ id }) => id).filter((id) => id in NO_TOOL);
  const rows = Object.entries(NO_TOOL_REASONS).map(([key, reason]) => {
    const own = ids.filter((id) => NO_TOOL[id as OperationId] === key).map((id) => `\`${id}\``);
    return `| ${reason} | ${own.join(' ')} |`;
  });
  return ['| reason | operations |', '| --- | --- |', ...rows].join('\n');
}
