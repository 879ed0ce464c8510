import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { Interrupted } from '../workflow/interrupted.ts';
import { ClientGone } from './request/body.ts';
import { Waits } from './waits.ts';

const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));

/** Closes a response like the server does when a connection breaks. */
async function leave(outgoing: ServerResponse): Promise<void> {
  const closed = once(outgoing, 'close');
  outgoing.destroy();
  await closed;
}

it('Waits aborts a wait when its client disconnects and removes the wait', async () => {
  const waits = new Waits();
  const outgoing = newResponse();
  const signal = waits.signal(outgoing);
  assert.ok(waits.has(outgoing));

  await leave(outgoing);

  assert.ok(signal.reason instanceof ClientGone);
  assert.ok(!waits.has(outgoing));
});

it('Waits immediately aborts a wait whose client has already disconnected', async () => {
  const waits = new Waits();
  const outgoing = newResponse();
  await leave(outgoing);

  assert.ok(waits.signal(outgoing).reason instanceof ClientGone);
  assert.ok(!waits.has(outgoing));
});

it('a wait that outlives its client is aborted only by the instance', async () => {
  const waits = new Waits();
  const outgoing = newResponse();
  const signal = waits.outliving(outgoing);

  await leave(outgoing);
  assert.ok(!signal.aborted);
  waits.cut();

  assert.ok(signal.reason instanceof Interrupted);
});
