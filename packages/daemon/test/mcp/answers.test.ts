/**
 * Tests that each MCP client gets the responses to its own requests, although many concurrent clients use the same
 * request IDs.
 */
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, it } from 'node:test';
import { app, bootDaemon, project, type Sending, send, user } from '@davit/testkit';
import { headersFor, type Message, message } from '../support/agent.ts';

const CLIENTS = 50;
/** Number of requests of each client. All of them take half a minute on a slow machine. */
const CALLS = process.env.DAVIT_TEST_LONG ? 400 : 40;

const daemon = await bootDaemon();
after(() => daemon[Symbol.asyncDispose]());

interface Caller {
  reference: string;
  key: string;
  role: 'viewer' | 'admin';
}

async function createCaller(n: number): Promise<Caller> {
  const slug = await project(daemon, `project-${n}`);
  const { reference } = await app(daemon, { project: slug, name: `app-${n}` });
  const role = n % 2 === 0 ? 'viewer' : 'admin';
  return { reference, role, key: user(daemon, role, [slug]).key };
}

it(`the MCP endpoint does not mix up answers for ${CLIENTS} clients with ${CALLS} calls each`, async () => {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => createCaller(n)));
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  after(() => agent.destroy());
  let answered = 0;
  const foreign: string[] = [];
  await Promise.all(
    clients.map(async (client) => {
      for (let id = 0; id < CALLS; id += 1) {
        const text = await answerTo(question(client, id), client.key, agent);
        answered += 1;
        if (!isOwn(text, client, id)) foreign.push(`${client.reference} ${id}: ${text.slice(0, 200)}`);
      }
    }),
  );
  assert.deepEqual(foreign, []);
  assert.equal(answered, CLIENTS * CALLS);
});

/** Returns one of four kinds of requests: a list, one app, the present user, and a refused request. */
function question({ reference }: Caller, id: number): Message {
  const call = (name: string, args: object) => message('tools/call', { name, arguments: args }, id);
  switch (id % 4) {
    case 0:
      return call('list_apps', {});
    case 1:
      return call('get_app', { app: reference });
    case 2:
      return call('get_me', {});
    default:
      return call('delete_app', { app: reference, confirm: 'another' });
  }
}

async function answerTo(body: Message, key: string, agent: Agent): Promise<string> {
  const sending: Sending = {
    method: 'POST',
    path: '/mcp',
    headers: { ...headersFor(body), authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  };
  return (await send({ url: daemon.url }, sending, agent)).text;
}

function isOwn(text: string, { reference, role }: Caller, id: number): boolean {
  const { id: answered, result } = JSON.parse(text) as { id: number; result?: { structuredContent?: object } };
  if (answered !== id || result === undefined) return false;
  const own = reference.split('/')[0] ?? '';
  const others = [...text.matchAll(/project-\d+/g)].filter(([name]) => name !== own);
  if (others.length > 0) return false;
  return id % 4 === 2
    ? text.includes(`"role":"${role}"`) || text.includes(`\\"role\\":\\"${role}\\"`)
    : text.includes(own);
}
