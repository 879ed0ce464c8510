/** An agent as people have one: the official client of the protocol, with a key. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export interface ToolAnswer {
  isError: boolean;
  /** What it says to its reader. */
  text: string;
  /** The same as a value. */
  value: unknown;
  /** What was told while the call went on. */
  told: string[];
}

export interface Agent extends AsyncDisposable {
  call(tool: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
}

/** @param url of the instance */
export async function startAgent(url: string, key: string): Promise<Agent> {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return {
    call: async (name, args = {}) => {
      const told: string[] = [];
      const onprogress = ({ message = '' }: { message?: string | undefined }) => void told.push(message);
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args }, { onprogress });
      const text = content.map((part) => ('text' in part ? part.text : '')).join('\n');
      return { isError: isError === true, text, value: structuredContent, told };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
