import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { EngineUnavailable } from '../errors.ts';
import { addressNumber } from '../subnets.ts';
import { decodeFrames } from './client/frames.ts';
import { readMessages } from './client/messages.ts';
import { hostsText } from './names/internal-names.ts';
import { parseRoutes } from './networks/routes.ts';
import { parseNameServers } from './networks/upstream.ts';

const SIGNAL = new AbortController().signal;

function frame(stream: 1 | 2, text: string): Buffer {
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('decodeFrames', () => {
  const bytes = Buffer.concat([frame(1, 'one\n'), frame(2, ''), frame(2, 'two\n')]);

  it('returns the same frames regardless of how the stream is split', async () => {
    for (const size of [1, 3, 7, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );

      const frames = await all(decodeFrames(Readable.from(chunks)));

      const found = frames.map(({ stream, payload }) => [stream, payload.toString()]);
      assert.deepEqual(found, [
        ['stdout', 'one\n'],
        ['stderr', ''],
        ['stderr', 'two\n'],
      ]);
    }
  });

  it('returns the available part of a truncated frame', async () => {
    const [only] = await all(decodeFrames(Readable.from([frame(1, 'unfinished').subarray(0, 12)])));

    assert.equal(only?.payload.toString(), 'unfi');
  });
});

describe('readMessages', () => {
  it('reads all messages of a pull split at any position', async () => {
    await readMessages(Readable.from(['{"status":"Pul', 'ling"}\r\n\n{"status"', ':"done"}']), 'pull shop', SIGNAL);
  });

  it('throws an error that arrives after a successful start of the pull', async () => {
    const stream = Readable.from([
      '{"status":"Pulling"}\n',
      '{"errorDetail":{"message":"no space left on device"},"error":"x"}\n',
    ]);

    await assert.rejects(readMessages(stream, 'pull shop', SIGNAL), {
      name: 'EngineProblem',
      code: 'disk_full',
      words: 'pull shop: no space left on device',
    });
  });

  it('throws EngineUnavailable if the stream of messages breaks off', async () => {
    const stream = new PassThrough();
    stream.write('{"status":"Pulling"}\n');
    setImmediate(() => stream.destroy());

    await assert.rejects(readMessages(stream, 'pull shop', SIGNAL), EngineUnavailable);
  });
});

describe('parsers and writers of network files', () => {
  it('parseRoutes returns kernel routes as ranges without the default route', () => {
    const table = [
      'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
      'eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0',
      'eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0',
      'tun0\t0000D00A\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0',
      '',
    ].join('\n');

    assert.deepEqual(parseRoutes(table), [
      { first: addressNumber('192.0.2.0'), last: addressNumber('192.0.2.255') },
      { first: addressNumber('10.208.0.0'), last: addressNumber('10.208.255.255') },
    ]);
    assert.deepEqual(parseRoutes(''), []);
  });

  it('parseNameServers returns only the name servers that a container can reach', () => {
    const text =
      '# made by hand\nnameserver 127.0.0.53\nnameserver fd00::1\n nameserver 192.0.2.1\nnameserver 192.0.2.2\nsearch x';

    assert.deepEqual(parseNameServers(text), ['192.0.2.1', '192.0.2.2']);
  });

  it('hostsText is independent of the order of names and changes its marker with the content', () => {
    const one = { name: 'one.internal', addresses: ['10.208.3.11', '10.208.3.10'] };
    const two = { name: 'two.internal', addresses: ['10.208.3.12'] };

    assert.equal(hostsText([one, two]), hostsText([two, one]));
    assert.match(
      hostsText([one]),
      /^10\.208\.3\.10 one\.internal\n10\.208\.3\.11 one\.internal\n192\.0\.2\.1 v-[0-9a-f]{32}\.davit\.internal\n$/,
    );
    assert.notEqual(hostsText([one]).split('\n').at(-2), hostsText([two]).split('\n').at(-2));
  });
});
