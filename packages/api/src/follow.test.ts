import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { DavitError } from './errors.ts';
import { follow, type Requester } from './follow.ts';

/** Returns a requester that answers each connection with the next text, and then ends the stream. */
function requesterOf(...texts: string[]): Requester & { asked: string[] } {
  const lastEventIds: string[] = [];
  const open = async (last: string) => {
    lastEventIds.push(last);
    const text = texts.shift();
    return text === undefined ? null : new Blob([text]).stream();
  };
  return { isRead: true, asked: lastEventIds, open };
}

const RESET = 'event: reset\ndata: {"reason":"failed"}\n\n';

it('follow reconnects immediately after a broken stream and sends the last event ID', async () => {
  const requester = requesterOf('id: 1\nevent: app\ndata: 1\n\n', 'id: 2\nevent: app\ndata: 2\n\n');

  const received = await Array.fromAsync(follow(requester), ({ data }) => data);

  assert.deepEqual(received, [1, 2]);
  assert.deepEqual(requester.asked, ['', '1', '2']);
});

it('follow waits two seconds to reconnect after a stream with only a reset event', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const requester = requesterOf('id: 1\nevent: app\ndata: 1\n\n', RESET);
    const events = follow(requester);
    assert.equal((await events.next()).value?.event, 'app');
    assert.equal((await events.next()).value?.event, 'reset');

    const end = events.next();
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    assert.equal(requester.asked.length, 2);
    mock.timers.tick(2_000);

    assert.equal((await end).done, true);
    assert.equal(requester.asked.length, 3);
  } finally {
    mock.timers.reset();
  }
});

it('follow calls onAway once for an outage and then continues the stream', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { open: answer, ...requester } = requesterOf(
      'id: 1\nevent: app\ndata: 1\n\n',
      'id: 2\nevent: app\ndata: 2\n\n',
    );
    let connections = 0;
    const open = async (last: string, signal: AbortSignal | undefined) => {
      connections += 1;
      if (connections === 2 || connections === 3) throw new Error('nothing answers');
      return answer(last, signal);
    };
    const onAway = mock.fn();
    const events = follow({ ...requester, open, onAway });
    await events.next();

    const back = events.next();
    for (const ms of [2_000, 4_000]) {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      mock.timers.tick(ms);
    }

    assert.equal((await back).value?.id, '2');
    assert.equal(onAway.mock.callCount(), 1);
  } finally {
    mock.timers.reset();
  }
});

it('follow connects only once if the request is not a read', async () => {
  const requester = { ...requesterOf('event: log\ndata: 1\n\n', 'event: log\ndata: 2\n\n'), isRead: false };

  assert.equal((await Array.fromAsync(follow(requester))).length, 1);
  assert.equal(requester.asked.length, 1);
});

it('follow passes a refused connection to the caller as an error', async () => {
  const open = () => Promise.reject(new DavitError('forbidden'));

  await assert.rejects(follow({ isRead: true, open }).next(), { code: 'forbidden' });
});

it('follow reconnects from the last position after a stream with only an ID', async () => {
  const requester = requesterOf('id: 7\n\n', 'id: 8\nevent: app\ndata: 8\n\n');
  const positions: string[] = [];
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const first = follow({ ...requester, onPosition: (id) => positions.push(id) }).next();
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    mock.timers.tick(2_000);
    assert.equal((await first).value?.id, '8');
  } finally {
    mock.timers.reset();
  }
  assert.deepEqual(requester.asked, ['', '7']);
  assert.deepEqual(positions, ['7']);
});

it('follow ends with the first connection if isOnce is set', async () => {
  const requester = requesterOf('id: 1\nevent: app\ndata: 1\n\n', 'id: 2\nevent: app\ndata: 2\n\n');
  const received = await Array.fromAsync(follow({ ...requester, isOnce: true }), ({ data }) => data);
  assert.deepEqual(received, [1]);
  assert.deepEqual(requester.asked, ['']);
});
