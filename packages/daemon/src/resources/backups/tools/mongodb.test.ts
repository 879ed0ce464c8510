/**
 * Tests the counts of documents in MongoDB. The shell is simulated, because the test environment has no MongoDB image.
 */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { patience } from '@davit/testkit/waiting';
import type { Engine } from '../../../adapters/engine/engine.ts';
import { difference } from './counts.ts';
import { mongodbTool } from './mongodb.ts';
import type { DumpedDatabase } from './tool.ts';

interface Collection {
  name: string;
  type: string;
  count: number;
}

/** Returns a database with these collections, and records which collections are counted. */
function served(collections: readonly Collection[]): { of: DumpedDatabase; counted: string[]; limits: unknown[] } {
  const counted: string[] = [];
  const limits: unknown[] = [];
  const database = {
    getCollectionInfos: () => collections.map(({ name, type }) => ({ name, type })),
    getCollection: (name: string) => ({
      countDocuments(_filter: object, options: { maxTimeMS?: number } = {}) {
        counted.push(name);
        limits.push(options.maxTimeMS);
        return collections.find((one) => one.name === name)?.count;
      },
    }),
  };
  const engine: Pick<Engine, 'execute'> = {
    async execute(_id, { command: [name] }, { stdin }) {
      const script = Buffer.concat(stdin === undefined ? [] : await Array.fromAsync(stdin)).toString();
      const lines: string[] = [];
      if (name === 'mongosh')
        runInNewContext(script, {
          connect: () => ({ getSiblingDB: () => database }),
          print: (line: string) => lines.push(`${line}\n`),
        });
      return {
        stdout: Readable.from([Buffer.from(lines.join(''))]),
        exited: Promise.resolve({ exitCode: 0, stderrTail: '' }),
      };
    },
  };
  const login = { username: 'app', password: 'word' };
  const of = { engine, container: 'one', signal: patience(), adminPassword: 'secret', login };
  return { of: { ...of, database: 'shop' }, counted, limits };
}

describe('the MongoDB tool', () => {
  const ALL = [
    { name: 'goods', type: 'collection', count: 3 },
    { name: 'seen', type: 'view', count: 7 },
    { name: 'times', type: 'timeseries', count: 4 },
    { name: 'system.views', type: 'collection', count: 1 },
  ];

  it('counts no views and limits the time of every count', async () => {
    const { of, counted, limits } = served(ALL);

    const { bytes, facts } = await mongodbTool.dump(of);
    await Array.fromAsync(bytes);

    assert.deepEqual(await facts(), { counts: { goods: 3, times: 4 } });
    assert.deepEqual([...new Set(counted)], ['goods', 'times']);
    assert.ok(limits.every((ms) => ms === 7_200_000));
  });

  it('still counts views for the comparison with an older backup', async () => {
    const { of } = served(ALL);

    assert.equal(difference({ goods: 3, seen: 7 }, await mongodbTool.count(of)), null);
    assert.match(difference({ other: 7 }, await mongodbTool.count(of)) ?? '', /missing/);
  });
});
