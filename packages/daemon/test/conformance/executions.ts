import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { until } from '@davit/testkit/waiting';
import { EngineProblem } from '../../src/adapters/engine/engine-problem.ts';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import type { Execution, ExecutionInput, Program } from '../../src/adapters/engine/execution.ts';
import { STDERR_TAIL_BYTES } from '../../src/adapters/engine/execution.ts';
import type { Stage } from './rig.ts';
import { soon } from './rig.ts';

const MIB = 2 ** 20;

export const executionPromises: Record<string, (stage: Stage) => Promise<void>> = {
  'runs a program in a container and returns stdout, the stderr tail and exit code': async (stage) => {
    const { stdout, exited } = await run(stage, ['sh', '-c', 'echo one; echo two >&2; exit 7']);

    assert.equal(await text(stdout), 'one\n');
    assert.deepEqual(await exited, { exitCode: 7, stderrTail: 'two\n' });
  },

  'passes the stderr of a program on before it reports the end of the program': async (stage) => {
    const complaints: string[] = [];
    const onStderr = (bytes: Buffer) => {
      complaints.push(String(bytes));
      return undefined;
    };

    const { stdout, exited } = await run(stage, ['sh', '-c', 'echo one >&2; echo two; echo three >&2'], { onStderr });

    assert.equal(await text(stdout), 'two\n');
    await exited;
    assert.equal(complaints.join(''), 'one\nthree\n');
  },

  'reports the exit code of a program whose short output is never read': async (stage) => {
    const { exited } = await run(stage, ['sh', '-c', 'echo one']);

    assert.equal((await exited).exitCode, 0);
  },

  'passes large input and its end to a program without changing any byte': async (stage) => {
    const given = pieces(5 * MIB + 17);

    const { stdout, exited } = await run(stage, ['cat'], { stdin: given.all() });

    let bytes = 0;
    for await (const chunk of stdout) {
      assert.ok(chunk.equals(given.at(bytes, chunk.length)), `it differs after ${bytes} bytes`);
      bytes += chunk.length;
    }
    assert.equal(bytes, given.total);
    assert.deepEqual(await exited, { exitCode: 0, stderrTail: '' });
  },

  'limits the input read while the program’s output is not consumed': async (stage) => {
    const given = pieces(512 * MIB);
    const leaving = new AbortController();

    const { exited } = await run(stage, ['cat'], { stdin: given.all(), signal: leaving.signal });

    let before = -1;
    await until('nothing more is read', async () => {
      const isStill = given.read === before;
      before = given.read;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return isStill;
    });
    assert.ok(given.read < 64 * MIB, `${given.read} bytes were read without a reader`);
    leaving.abort(new Error('called off'));
    await assert.rejects(exited, /called off/);
  },

  'ends a program with endless output when the reader stops reading': async (stage) => {
    const { stdout, exited } = await run(stage, ['yes']);
    let bytes = 0;

    for await (const chunk of stdout) {
      bytes += chunk.length;
      if (bytes > 2 * MIB) break;
    }

    assert.notEqual((await exited).exitCode, 0);
  },

  'ends a running program and rejects with the abort reason when its signal aborts': async (stage) => {
    const id = await stage.running('web');
    const running = new AbortController();
    const { stdout, exited } = await run(stage, ['sleep', '1000'], { signal: running.signal }, id);
    const reason = new Error('called off');

    running.abort(reason);

    await assert.rejects(exited, reason);
    await assert.rejects(text(stdout), reason);
    await stage.rig.endedInside(id, 'sleep');
  },

  'rejects an execution with the abort reason if the signal is already aborted': async (stage) => {
    const reason = new Error('called off');

    await assert.rejects(run(stage, ['cat'], { signal: AbortSignal.abort(reason) }), reason);
  },

  'rejects a program’s output and result with the error of its failed input': async (stage) => {
    const reason = new Error('the archive is damaged');
    async function* broken() {
      yield Buffer.from('half');
      throw reason;
    }

    const { stdout, exited } = await run(stage, ['sh', '-c', 'cat; echo complete'], { stdin: broken() });

    await assert.rejects(exited, reason);
    await assert.rejects(text(stdout), reason);
  },

  'reports the exit code of a program that does not read its input': async (stage) => {
    const given = pieces(64 * MIB);

    const { exited } = await run(stage, ['sh', '-c', 'echo no >&2; exit 4'], { stdin: given.all() });

    assert.equal((await exited).exitCode, 4);
  },

  'closes an endless input when the program exits': async (stage) => {
    const waiting = Promise.withResolvers<void>();
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(64 * 1024);
      } finally {
        waiting.resolve();
      }
    }

    const { exited } = await run(stage, ['head', '-c', '10'], { stdin: endless() });

    assert.equal((await exited).exitCode, 0);
    await waiting.promise;
  },

  'limits the stderr tail and keeps the last lines of long stderr output': async (stage) => {
    const script = Array.from({ length: 4_000 }, (_, n) => `echo complaint number ${n} >&2`).join(';');

    const { exited } = await run(stage, ['sh', '-c', script]);

    const { stderrTail } = await exited;
    assert.equal(Buffer.byteLength(stderrTail), STDERR_TAIL_BYTES);
    assert.ok(stderrTail.endsWith('complaint number 3998\ncomplaint number 3999\n'));
  },

  'overrides container variables with the program’s variables and runs programs as another user': async (stage) => {
    const id = await stage.running('web', { env: { ONE: 'one', TWO: 'two' } });
    const env = await stage.engine.execute(id, { command: ['env'], env: { TWO: 'second' } }, { signal: soon() });
    const user = await stage.engine.execute(id, { command: ['id', '-u'], user: '65534' }, { signal: soon() });

    const lines = (await text(env.stdout)).split('\n');
    assert.ok(lines.includes('ONE=one') && lines.includes('TWO=second') && !lines.includes('TWO=two'), String(lines));
    assert.equal(await text(user.stdout), '65534\n');
  },

  'reports failure of a running program when its container is removed': async (stage) => {
    const id = await stage.running('web');
    const { exited } = await run(stage, ['sleep', '1000'], {}, id);

    await stage.engine.remove(id);

    const outcome = await exited.catch((error: unknown) => error);
    assert.ok(outcome instanceof EngineRefused || (outcome as { exitCode: number }).exitCode !== 0, String(outcome));
  },

  'refuses a connection if the container is not running or no program listens on the port': async (stage) => {
    const [created = ''] = await stage.engine.createGroup(await stage.group());
    const id = await stage.shared();

    await assert.rejects(stage.engine.openConnection(created, 1, soon()), EngineRefused);
    await assert.rejects(stage.engine.openConnection(id, 1, soon()), EngineRefused);
  },

  'refuses a program if the container is not running or lacks the program': async (stage) => {
    const [created = ''] = await stage.engine.createGroup(await stage.group());
    const id = await stage.shared();

    await assert.rejects(run(stage, ['cat'], {}, created), EngineRefused);
    await assert.rejects(run(stage, ['no-such-program'], {}, id), (error) => {
      assert.ok(error instanceof EngineProblem, String(error));
      assert.equal(error.code, 'command_not_found');
      assert.doesNotMatch(error.message, /no-such-program/);
      return true;
    });
  },
};

async function run(
  stage: Stage,
  command: Program['command'],
  input: Partial<ExecutionInput> = {},
  id?: string,
): Promise<Execution> {
  return stage.engine.execute(id ?? (await stage.shared()), { command }, { signal: soon(), ...input });
}

/** Creates and checks a long sequence of bytes without storing it. */
function pieces(total: number) {
  // The length of the pattern is coprime to the length of a chunk, so missing or repeated chunks are detected.
  const pattern = Buffer.from(Array.from({ length: 65_521 }, (_, n) => (n * 7) % 251));
  const given = {
    total,
    read: 0,
    at: (from: number, length: number) => {
      const start = from % pattern.length;
      const copies = Math.ceil((start + length) / pattern.length);
      return Buffer.concat(Array.from({ length: copies }, () => pattern)).subarray(start, start + length);
    },
    async *all() {
      while (given.read < total) {
        // Each chunk is a copy, because the engine may keep or change it.
        const chunk = Buffer.from(pattern.subarray(0, Math.min(pattern.length, total - given.read)));
        given.read += chunk.length;
        yield chunk;
      }
    },
  };
  return given;
}
