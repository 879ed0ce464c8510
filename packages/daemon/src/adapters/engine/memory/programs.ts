import { DATABASE_PROGRAMS } from './database-programs.ts';
import type { SimulatedProgram } from './simulated-program.ts';

/**
 * Simulated programs that exist in all simulated containers, in addition to the database programs. Each program
 * supports only the options that tests use.
 */
export const PROGRAMS: Record<string, SimulatedProgram> = {
  ...DATABASE_PROGRAMS,

  async cat({ command, container, stdin, write, complain }) {
    const paths = command.slice(1);
    if (paths.length === 0) for await (const chunk of stdin) await write(chunk);
    for (const path of paths) {
      const file = container.files.find((one) => one.path === path);
      if (file === undefined) {
        complain(`cat: can't open '${path}': No such file or directory\n`);
        return 1;
      }
      await write(file.bytes);
    }
    return 0;
  },

  /** Simulates `head`. Supports only `head -c N`. */
  async head({ command, stdin, write }) {
    let left = Number(command[2]);
    for await (const chunk of stdin) {
      await write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) break;
    }
    return 0;
  },

  async yes({ write, signal }) {
    const flood = Buffer.from('y\n'.repeat(8_192));
    while (!signal.aborted) {
      await write(flood);
      // Lets other code run after each output, because a real process would not block the event loop.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return 1;
  },

  sleep: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(1), { once: true })),

  async env({ env, write }) {
    for (const [name, value] of Object.entries(env)) await write(`${name}=${value}\n`);
    return 0;
  },

  /** Simulates `id`. Supports only `id -u`. */
  async id({ user, write }) {
    await write(`${user ?? 0}\n`);
    return 0;
  },

  /** Simulates `sh`. A script may contain `echo WORDS`, `exit N` and `cat`, separated by `;`. */
  async sh(run) {
    for (const part of (run.command[2] ?? '').split(';')) {
      const [verb, ...words] = part.trim().split(/\s+/);
      if (verb === 'exit') return Number(words[0] ?? 0);
      if (verb === 'cat') await PROGRAMS.cat?.({ ...run, command: ['cat', ...words] });
      if (verb !== 'echo') continue;
      if (words.at(-1) === '>&2') run.complain(`${words.slice(0, -1).join(' ')}\n`);
      else await run.write(`${words.join(' ')}\n`);
    }
    return 0;
  },
};
