import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import type { DockerClient, EngineCall } from '../client/client.ts';
import type { DockerInstances } from '../containers/instances.ts';
import type { DockerContext } from '../context.ts';
import { openTerminal } from './terminal.ts';

const SIZE = { columns: 80, rows: 24 };
/** Process id that no process has, so there is no process to end. */
const PID = 2 ** 30;

const NOT_YET = { Running: false, Pid: 0, ExitCode: null };
const BEGINNING = { Running: true, Pid: 0, ExitCode: null };
const RUNS = { Running: true, Pid: PID, ExitCode: null };
const REFUSED = { Running: false, Pid: 0, ExitCode: 126 };

/** Returns a fake engine that reports the given states of a program one after the other, and repeats the last one. */
function fakeEngine(states: object[], onHijack: () => void = () => undefined) {
  const connection = new PassThrough();
  const left = [...states];
  const client = {
    address: 'a fake engine',
    async call({ path }: EngineCall) {
      if (path.endsWith('/json')) return left.length > 1 ? left.shift() : left[0];
      return { Id: 'exec' };
    },
    async hijack() {
      onHijack();
      return connection;
    },
  };
  const log = { warn: () => undefined, info: () => undefined };
  const context: DockerContext = { davitId: 'davit', client: client as unknown as DockerClient, log };
  const instances = { facts: async () => undefined } as unknown as DockerInstances;
  const program = { command: ['sh'] };
  const open = (signal: AbortSignal) => openTerminal(context, instances, 'container', program, SIZE, signal);
  return { connection, open };
}

describe('openTerminal', () => {
  it('waits for a program that the engine does not report as running yet', async () => {
    const { connection, open } = fakeEngine([NOT_YET, NOT_YET, BEGINNING, RUNS]);

    await using terminal = await open(new AbortController().signal);

    connection.end('hello');
    const said = await Array.fromAsync(terminal.output);
    assert.equal(Buffer.concat(said).toString(), 'hello');
  });

  it('fails with command_not_found if the program does not exist', async () => {
    const { connection, open } = fakeEngine([BEGINNING, REFUSED]);
    const words = 'OCI runtime exec failed: exec failed: exec: "sh": executable file not found in $PATH: unknown';
    connection.end(`${words}\r\n`);

    const opened = open(new AbortController().signal);

    await assert.rejects(opened, {
      name: 'EngineProblem',
      code: 'command_not_found',
      words: `open terminal: ${words}`,
    });
    assert.equal(connection.destroyed, true);
  });

  it('closes the connection if the caller aborts while the program starts', async () => {
    const calling = new AbortController();
    const reason = new Error('the caller has gone');
    const { connection, open } = fakeEngine([NOT_YET, RUNS], () => calling.abort(reason));

    await assert.rejects(open(calling.signal), reason);

    assert.equal(connection.destroyed, true);
  });
});
