import assert from 'node:assert/strict';
import { EngineProblem } from '../../src/adapters/engine/engine-problem.ts';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import type { Terminal } from '../../src/adapters/engine/terminal.ts';
import type { Stage } from './rig.ts';
import { soon } from './rig.ts';

const SIZE = { columns: 101, rows: 37 };

export const terminalPromises: Record<string, (stage: Stage) => Promise<void>> = {
  'opens a terminal with the requested size and reports the program’s exit code': async (stage) => {
    await using terminal = await prompting(stage);

    await terminal.write(Buffer.from('stty size\necho one  two\nexit 7\n'));

    assert.match(await readUntilEnd(terminal), /stty size\r\n37 101\r\n[\s\S]*echo one {2}two\r\none two\r\n/);
    assert.equal(await terminal.exited, 7);
  },

  'runs the program of a terminal with further variables and as another user': async (stage) => {
    const id = await stage.shared();
    const program = { command: ['/bin/sh'], env: { ONE: 'first' }, user: '65534' };
    await using terminal = await stage.engine.openTerminal(id, program, SIZE, soon());
    await readUntil(terminal, /[$#] /);

    await terminal.write(Buffer.from('echo $ONE\nid -u\nexit\n'));

    assert.match(await readUntilEnd(terminal), /\r\nfirst\r\n[\s\S]*\r\n65534\r\n/);
  },

  'changes the size of an open terminal': async (stage) => {
    await using terminal = await prompting(stage);

    await terminal.resize({ columns: 40, rows: 12 });
    await terminal.write(Buffer.from('stty size\nexit\n'));

    assert.match(await readUntilEnd(terminal), /\r\n12 40\r\n/);
  },

  'ends a terminal’s running program when the terminal is closed': async (stage) => {
    const terminal = await prompting(stage);
    await terminal.write(Buffer.from('sleep 1000\n'));
    await readUntil(terminal, /sleep 1000/);

    await terminal[Symbol.asyncDispose]();

    await readUntilEnd(terminal);
    assert.notEqual(await terminal.exited, 0);
  },

  'ends a terminal’s program when the signal aborts': async (stage) => {
    const id = await stage.shared();
    const using = new AbortController();
    const terminal = await stage.engine.openTerminal(id, { command: ['/bin/sh'] }, SIZE, using.signal);

    using.abort();

    assert.notEqual(await terminal.exited, 0);
  },

  'ends a terminal when its container is removed': async (stage) => {
    const id = await stage.running('web');
    await using terminal = await prompting(stage, id);

    await stage.engine.remove(id);

    await readUntilEnd(terminal);
    assert.notEqual(await terminal.exited, 0);
  },

  'accepts input and resizing of a terminal after its program has exited': async (stage) => {
    await using terminal = await prompting(stage);
    await terminal.write(Buffer.from('exit 3\n'));
    await readUntilEnd(terminal);

    await terminal.write(Buffer.from('echo late\n'));
    await terminal.resize({ columns: 40, rows: 12 });

    assert.equal(await terminal.exited, 3);
  },

  'ends a program with endless terminal output when the terminal is closed': async (stage) => {
    await using terminal = await prompting(stage);
    await terminal.write(Buffer.from('yes\n'));
    let bytes = 0;

    for await (const chunk of terminal.output) {
      bytes += chunk.length;
      if (bytes > 2 ** 20) break;
    }

    await terminal[Symbol.asyncDispose]();
    assert.notEqual(await terminal.exited, 0);
  },

  'refuses a terminal in a container that is not running': async (stage) => {
    const [id = ''] = await stage.engine.createGroup(await stage.group());

    await assert.rejects(open(stage, id), EngineRefused);
  },

  'refuses a terminal for a program missing from the container': async (stage) => {
    const id = await stage.shared();

    const opened = stage.engine.openTerminal(id, { command: ['/bin/no-such-program'] }, SIZE, soon());

    await assert.rejects(opened, (error) => error instanceof EngineProblem && error.code === 'command_not_found');
  },
};

/** Opens a shell and waits for its prompt, because a starting shell discards earlier input. */
async function prompting(stage: Stage, id?: string): Promise<Terminal> {
  const terminal = await open(stage, id ?? (await stage.shared()));
  await readUntil(terminal, /[$#] /);
  return terminal;
}

function open(stage: Stage, id: string): Promise<Terminal> {
  return stage.engine.openTerminal(id, { command: ['/bin/sh'] }, SIZE, soon());
}

/** Returns all further output until the end. */
export async function readUntilEnd({ output }: Terminal): Promise<string> {
  let text = '';
  for await (const chunk of output) text += chunk;
  return text;
}

/** Reads until the output matches, and leaves later output unread. */
export async function readUntil({ output }: Terminal, what: RegExp): Promise<string> {
  const iterator = output[Symbol.asyncIterator]();
  let text = '';
  while (!what.test(text)) {
    const { value, done } = await iterator.next();
    assert.ok(!done, `it ended without ${what}: ${text}`);
    text += value;
  }
  return text;
}
