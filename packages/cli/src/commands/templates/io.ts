import type { CommandIo } from '@davit/template/command';
import type { Context } from '../../declaration/context.ts';
import { CliError } from '../../errors/exit.ts';

/** Functions with which template commands read. These functions need no instance. */
interface TemplateIo extends CommandIo {
  /**
   * Runs work that reads a template.
   * @throws CliError usage if the template cannot be read
   */
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
        // Compares the name of the error, because its class is loaded only with the command.
        const isUnreadable = error instanceof Error && error.name === 'UnreadableError';
        throw isUnreadable ? new CliError('usage', error.message, { cause: error }) : error;
      }
    },
  };
}
