/**
 * Measures the `list_apps` tool over MCP. One client sends one call after another over one persistent connection. The
 * daemon creates a server object for each request. The details contain the time of `tools/list`, and the memory of the
 * daemon before and after its first message.
 */
import { Agent, request } from 'node:http';
import { startInstance } from '../test/support/instance.ts';
import { residentMib } from './support/process-use.ts';
import { conclude, formOf, quantile, rounded, say } from './support/result.ts';
import { makeSampleApp } from './support/sample-app.ts';

const CALLS = { short: 500, usual: 5_000, long: 20_000 };
const WARM_UP = 300;
const LISTS = 20;
const LIMIT_P50_MS = 5;
const MIN_PER_SECOND = 300;
const VERSION = '2026-07-28';

const form = formOf();
await using instance = await startInstance({ engine: 'memory' });
await makeSampleApp(instance);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const before = await residentMib(instance.pid);
await sendRequest('tools/list', {});
const afterList = await residentMib(instance.pid);
for (let call = 0; call < WARM_UP; call += 1) await listApps();

const times: number[] = [];
const from = performance.now();
for (let call = 0; call < CALLS[form]; call += 1) {
  const began = performance.now();
  await listApps();
  times.push(performance.now() - began);
}
const perSecond = CALLS[form] / ((performance.now() - from) / 1_000);
const p50 = quantile(times, 0.5);
say(`${CALLS[form]} calls: ${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(2)} ms`);

const lists: number[] = [];
for (let list = 0; list < LISTS; list += 1) {
  const began = performance.now();
  await sendRequest('tools/list', {});
  lists.push(performance.now() - began);
}
const after = await residentMib(instance.pid);
agent.destroy();

await conclude(
  {
    name: 'mcp',
    promise: 'Median response time of the `list_apps` tool over MCP, one client',
    limit: `≤ ${LIMIT_P50_MS} ms and ≥ ${MIN_PER_SECOND} calls/s`,
    value: rounded(p50),
    unit: 'ms',
    ok: p50 <= LIMIT_P50_MS && perSecond >= MIN_PER_SECOND,
    details: {
      calls_per_second: Math.round(perSecond),
      p99_ms: rounded(quantile(times, 0.99)),
      calls: CALLS[form],
      tools_list_ms: rounded(quantile(lists, 0.5)),
      resident_mib: {
        before_the_first_message: rounded(before),
        after_the_first_list: rounded(afterList),
        at_the_end: rounded(after),
      },
    },
  },
  form,
);

function listApps(): Promise<string> {
  return sendRequest('tools/call', { name: 'list_apps', arguments: {} });
}

function sendRequest(method: string, params: { name?: string; arguments?: object }): Promise<string> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
  const headers = {
    authorization: `Bearer ${instance.key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(params.name !== undefined && { 'mcp-name': params.name }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const clientRequest = request(`${instance.url}/mcp`, { method: 'POST', headers, agent }, async (answer) => {
    const text = (await answer.setEncoding('utf8').toArray()).join('');
    if (answer.statusCode === 200 && text.includes('"result"') && !text.includes('"isError":true')) resolve(text);
    else reject(new Error(`${method}: ${answer.statusCode} ${text.slice(0, 300)}`));
  });
  clientRequest.on('error', reject);
  clientRequest.end(body);
  return promise;
}
