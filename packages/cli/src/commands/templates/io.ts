import type { CommandIo } from '@davit/template/command';
import type { Context } from '../../declaration/context.ts';
import { CliError } from '../../errors/exit.ts';

/** What the commands about templates read with: they need no instance. */
interface TemplateIo extends CommandIo {
  /** Does something that reads. @throws CliError usage when what was named cannot be read */
  reading<T>(work: () => Promise<T>): Promise<T>;
}

export function templateIo({ world, signal }: Pick<Context, 'world' | 'signal'>): TemplateIo {
  const { cwd, stdin, fetch = globalThis.fetch } = world;
  return {
    cwd,
    stdin,
    fetch,
    signal,
    async reading(work) {
      try {
        return await work();
      } catch (error) {
        // By its name: the class is loaded with the command alone.
        const isUnreadable = error instanceof Error && error.name === 'UnreadableError';
        throw isUnreadable ? new CliError('usage', error.message, { cause: error }) : error;
      }
    },
  };
}
