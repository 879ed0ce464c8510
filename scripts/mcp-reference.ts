/**
 * Returns the page of MCP tools: the operations that agents can use, their arguments, and why agents cannot use the
 * others.
 */
import { allOperations, leastRole, type OperationId } from '../packages/api/src/index.ts';
import { NO_TOOL, NO_TOOL_REASONS } from '../packages/api/src/no-tools.ts';
import { inputSchema } from '../packages/daemon/src/mcp/schemas.ts';
import { TOOLS, type Tool } from '../packages/daemon/src/mcp/tools.ts';

export function mcpReference(): string {
  return `# Tools of agents

Each tool of \`POST /mcp\` is an operation of the API under another name: the same rights, rules, refusals and records.
One argument names the object: \`app\` as “project/environment/app”, \`environment\` as “project/environment”, or \`project\`;
where \`environment\` and \`project\` are fields of what is made (create_app) they are plain names. Lists are answered in
\`items\`, with \`next\` for the next page. A tool is listed for who has its role; create_project only for who sees every
project. How to connect: [MCP](../how-to/connect-ai-clients-with-mcp.md).

Arguments with \`*\` are required. What a tool does: **reads**, **changes**, or **destroys**, and then it takes \`confirm\`,
the same as its \`app\`, \`environment\` or \`project\`; without it nothing happens.

| tool | arguments | does | role |
| --- | --- | --- | --- |
${TOOLS.map(row).join('\n')}

## Operations that are no tools

${reasons()}
`;
}

const DOES = { read: 'reads', write: 'changes', destroy: 'destroys' };

function row(tool: Tool): string {
  const { properties, required } = inputSchema(tool);
  const names = Object.keys(properties).map((name) => `\`${name}\`${required.includes(name) ? '*' : ''}`);
  const { effect, permission, summary } = tool.operation;
  return `| \`${tool.name}\`: ${summary.toLowerCase()} | ${names.join(' ')} | ${DOES[effect]} | ${leastRole(permission)} |`;
}

function reasons(): string {
  const ids = allOperations.map(({ id }) => id).filter((id) => id in NO_TOOL);
  const rows = Object.entries(NO_TOOL_REASONS).map(([key, reason]) => {
    const own = ids.filter((id) => NO_TOOL[id as OperationId] === key).map((id) => `\`${id}\``);
    return `| ${reason} | ${own.join(' ')} |`;
  });
  return ['| why | operations |', '| --- | --- |', ...rows].join('\n');
}
