/** Log lines of apps in the stream of events. */
import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { LogEvent } from '@davit/api';
import { bootDaemon, deployedApp, type EventReader, paramsOf, project, readEvents, user } from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';
import { setUserRights } from '../../src/db/tables/user.ts';

describe('log lines in the event stream', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  const open = (query: string, key = daemon.key) =>
    readEvents({ url: daemon.url }, `/api/events?${query}`, { headers: { authorization: `Bearer ${key}` } });

  async function writing(name?: string) {
    const { app } = await deployedApp(daemon, name === undefined ? {} : { project: name });
    return { ...app, write: (line: string) => daemon.engine.controls.writeLog(containerOf(app.reference), line) };
  }

  function containerOf(reference: string): string {
    const found = daemon.engine.controls.containers().findLast(({ app }) => app === reference);
    if (found === undefined) throw new Error(`${reference} has no container`);
    return found.id;
  }

  /** Reads until an app has written a line. Returns all of its lines up to that line, and the position after them. */
  async function linesUntil(reader: EventReader, reference: string, last: string) {
    const lines: string[] = [];
    for (;;) {
      const { data, id } = await reader.until(({ event, data }) => event === 'log' && data.app === reference);
      const { seq, lines: received } = data as unknown as LogEvent;
      lines.push(...received.map(({ line }) => line));
      if (lines.at(-1) === last) return { lines, seq, id };
    }
  }

  it('include only the requested apps and have no event ID', async () => {
    const [one, two, third] = [await writing(), await writing(), await writing()];
    using reader = await open(`logs=${one.reference},${two.reference}`);
    third.write('not asked for');
    one.write('of one');
    const ofOne = await linesUntil(reader, one.reference, 'of one');
    assert.deepEqual(ofOne.lines, ['listening', 'of one']);
    assert.equal(ofOne.id, null);
    two.write('of two');
    await linesUntil(reader, two.reference, 'of two');
    const { reference } = (await deployedApp(daemon)).app;
    const happened = await reader.until(({ data }) => data.app === reference);
    assert.equal(happened.id, String(happened.data.seq));
    assert.doesNotMatch(reader.raw, /not asked for/);
  });

  it('resume after a position without gaps or duplicates, also with another list of apps', async () => {
    const [one, two] = [await writing(), await writing()];
    using first = await open(`logs=${one.reference}`);
    one.write('1');
    const { seq } = await linesUntil(first, one.reference, '1');
    for (const line of ['2', '3']) one.write(line);
    using second = await open(`logs=${one.reference}@${seq},${two.reference}`);
    one.write('4');
    assert.deepEqual((await linesUntil(second, one.reference, '4')).lines, ['2', '3', '4']);
    two.write('there too');
    await linesUntil(second, two.reference, 'there too');
  });

  it('restart with the available lines of an app after a reset if its position is gone', async () => {
    const [one, two] = [await writing(), await writing()];
    using reader = await open(`logs=${one.reference}@999999,${two.reference}`);
    const reset = await reader.until(({ event }) => event === 'reset');
    assert.deepEqual([reset.data.app, reset.data.reason], [one.reference, 'position_gone']);
    await linesUntil(reader, one.reference, 'listening');
    two.write('goes on');
    await linesUntil(reader, two.reference, 'goes on');
  });

  it('end for a deleted app without ending other logs or events', async () => {
    const [one, two] = [await writing(), await writing()];
    using reader = await open(`logs=${one.reference},${two.reference}`);
    await linesUntil(reader, one.reference, 'listening');
    await daemon.client.deleteApp({ params: paramsOf(one) });
    const reset = await reader.until(({ event }) => event === 'reset');
    assert.deepEqual([reset.data.app, reset.data.reason], [one.reference, 'rights_ended']);
    two.write('goes on');
    await linesUntil(reader, two.reference, 'goes on');
    const { reference } = (await deployedApp(daemon)).app;
    await reader.until(({ data }) => data.app === reference);
  });

  it('are reset as unavailable if unreadable, and the lines of other apps continue', async () => {
    const [one, two] = [await writing(), await writing()];
    using before = await open(`logs=${one.reference}`);
    await linesUntil(before, one.reference, 'listening');
    const id = daemon.core.store.get(unchecked<{ id: number }>('SELECT id FROM apps WHERE name = ?'), one.name)?.id;
    const folder = join(daemon.dataDir, 'logs', String(id));
    await daemon.stop();
    await rename(folder, `${folder}.away`);
    await writeFile(folder, 'no folder');
    await daemon.start();
    try {
      using reader = await open(`logs=${one.reference},${two.reference}`);
      const reset = await reader.until(({ event }) => event === 'reset');
      assert.deepEqual([reset.data.app, reset.data.reason], [one.reference, 'unavailable']);
      assert.match(String(reset.data.message), /cannot be read from the disk/);
      await linesUntil(reader, two.reference, 'listening');
    } finally {
      await rm(folder);
      await rename(`${folder}.away`, folder);
    }
  });

  it('are refused for all apps if one app is missing or hidden', async () => {
    const [mine, other] = [await project(daemon), await project(daemon)];
    const [seen, hidden] = [await writing(mine), await writing(other)];
    const viewer = user(daemon, 'viewer', [mine]);
    using allowed = await open(`logs=${seen.reference}`, viewer.key);
    assert.equal(allowed.status, 200);
    const missing = `${mine}/production/none`;
    const answers = [];
    for (const reference of [hidden.reference, missing]) {
      using refused = await open(`logs=${seen.reference},${reference}`, viewer.key);
      await refused.rest();
      assert.equal(refused.status, 404);
      answers.push(refused.raw);
    }
    assert.match(answers[0] ?? '', /^This app does not exist, or you cannot access it/);
    assert.equal(answers[0], answers[1]);
  });

  it('end when the user loses access to the app', async () => {
    const mine = await project(daemon);
    const app = await writing(mine);
    const viewer = user(daemon, 'viewer', [mine]);
    using reader = await open(`logs=${app.reference}`, viewer.key);
    await linesUntil(reader, app.reference, 'listening');
    daemon.core.store.tx((tx) => setUserRights(tx, viewer.id, 'viewer', [], Date.now()));
    app.write('unseen');
    assert.equal((await reader.rest()).at(-1)?.data.reason, 'rights_ended');
    assert.doesNotMatch(reader.raw, /unseen/);
  });

  it('are refused with a malformed, duplicate or too long list of apps', async () => {
    const { reference } = await writing();
    const many = Array.from({ length: 17 }, (_, n) => `a/b/c${n}`).join();
    const refused: [logs: string, text: RegExp][] = [
      ['', /^logs: must be at most 16 app addresses/],
      ['shop', /^logs: must be at most 16 app addresses/],
      [`${reference}@`, /^logs: must be at most 16 app addresses/],
      [`${reference}@x`, /^logs: must be at most 16 app addresses/],
      [many, /^logs: must be at most 16 app addresses/],
      [`${reference},${reference}@1`, /^logs: The list contains an app twice/],
    ];
    for (const [logs, text] of refused) {
      const answer = await daemon.call('GET', `/api/events?logs=${logs}`);
      assert.equal(answer.status, 400, logs);
      assert.match(answer.text, text);
    }
  });

  it('are accompanied by heartbeats at the requested interval', async () => {
    const { text, status } = await daemon.call('GET', '/api/events?heartbeat=16');
    assert.equal(status, 400, text);
    using reader = await open('heartbeat=1&kinds=app');
    await reader.comment();
    await reader.comment();
    assert.equal(reader.comments, 2);
  });
});
