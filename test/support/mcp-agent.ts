/** An MCP agent with the official MCP client and an API key, like an agent of a user. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export interface ToolAnswer {
  isError: boolean;
  /** Text of the result. */
  text: string;
  /** Result as a value. */
  value: unknown;
  /** Notifications during the call. */
  told: string[];
}

export interface Agent extends AsyncDisposable {
  call(tool: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
}

/**
 * Starts an agent.
 * @param url URL of the instance
 */
export async function startAgent(url: string, key: string): Promise<Agent> {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return {
    call: async (name, args = {}) => {
      const notifications: string[] = [];
      const onprogress = ({ message = '' }: { message?: string | undefined }) => void notifications.push(message);
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args }, { onprogress });
      const text = content.map((part) => ('text' in part ? part.text : '')).join('\n');
      return { isError: isError === true, text, value: structuredContent, told: notifications };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
