import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { createLogger } from '@davit/service';
import type { ClientTags } from '../../adapters/registry/registry.ts';
import type { Reply } from '../bind.ts';
import { Exchange, RequestContext } from '../exchange.ts';
import { ClientGone } from '../request/body.ts';
import { Waits } from '../waits.ts';
import { registryTagsEndpoint } from './tags.ts';

const AT_ONCE = 4;
const MOST_WAITING = 32;
const PARAMS = { project: 'shop', environment: 'production', app: 'web' };
const URL_PATH = '/v2/shop/production/web/tags/list';

/**
 * Creates the endpoint with a simulated registry. The registry responds only when the test calls a function in
 * `answers`.
 */
function setup() {
  const answers: ((tags: ClientTags) => void)[] = [];
  const tagsFor = () => {
    const { promise, resolve } = Promise.withResolvers<ClientTags>();
    answers.push(resolve);
    return promise;
  };
  const endpoint = registryTagsEndpoint({ registry: { tagsFor } });
  const waits = new Waits();
  const log = createLogger({ level: 'error', destination: { write: () => undefined } });

  /** Sends a request of an anonymous client. */
  function send(): { outgoing: ServerResponse; reply: Promise<Reply> } {
    const incoming = new IncomingMessage(new Socket());
    incoming.url = URL_PATH;
    const outgoing = new ServerResponse(incoming);
    const exchange = new Exchange({ incoming, outgoing, local: false }, endpoint);
    exchange.params = PARAMS;
    return { outgoing, reply: Promise.resolve(endpoint.handle(exchange, new RequestContext(exchange, waits, log))) };
  }
  const sendMany = (count: number) => Array.from({ length: count }, send);
  return { answers, send, sendMany, waits };
}

/** Responds to all requests for tags, including requests that start only after earlier responses. */
async function answerAll(answers: ((tags: ClientTags) => void)[], replies: Promise<Reply>[]): Promise<Reply[]> {
  let isOver = false;
  const all = Promise.all(replies).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const answer of answers.splice(0)) answer({ tags: ['latest'] });
    await new Promise(setImmediate);
  }
  return all;
}

describe('the queue of requests for tag lists', () => {
  it('refuses requests with 503 while it is full, and accepts them again later', async () => {
    const { answers, send, sendMany } = setup();
    const accepted = sendMany(AT_ONCE + MOST_WAITING);
    await new Promise(setImmediate);
    assert.equal(answers.length, AT_ONCE);

    const { status, headers, body } = await send().reply;

    assert.equal(status, 503);
    assert.equal(headers?.['Retry-After'], '5');
    assert.equal((body as { errors: { code: string }[] }).errors[0]?.code, 'UNAVAILABLE');
    const replies = await answerAll(
      answers,
      accepted.map(({ reply }) => reply),
    );
    assert.deepEqual([...new Set(replies.map((reply) => reply.status))], [200]);
    const [later] = await answerAll(answers, [send().reply]);
    assert.equal(later?.status, 200);
  });

  it('loses requests whose clients disconnect, and never sends them to the registry', async () => {
    const { answers, send, sendMany } = setup();
    const active = sendMany(AT_ONCE);
    const waiting = sendMany(MOST_WAITING);
    const left = waiting.map(({ reply }) => assert.rejects(reply, ClientGone));

    for (const { outgoing } of waiting) outgoing.destroy();
    await Promise.all(left);

    const next = send().reply;
    const replies = await answerAll(answers, [...active.map(({ reply }) => reply), next]);
    assert.deepEqual([...new Set(replies.map((reply) => reply.status))], [200]);
  });

  it('ends the wait if the daemon stops', async () => {
    const { answers, sendMany, waits } = setup();
    const active = sendMany(AT_ONCE);
    const [waiting] = sendMany(1);

    waits.cut();

    await assert.rejects(waiting?.reply ?? assert.fail(), { name: 'Interrupted' });
    await answerAll(
      answers,
      active.map(({ reply }) => reply),
    );
  });
});
