import type { CommandIo } from '@davit/template/command';
import type { Context } from '../../declaration/context.ts';
import { CliError } from '../../errors/exit.ts';

/**
 * Functions with which the template commands read files and stdin, and send network requests. Template commands work
 * without an instance.
 */
interface TemplateIo extends CommandIo {
  /**
   * Runs a function that reads a template file. If the file cannot be read, converts the error to a `CliError`.
   * @throws CliError with exit `usage` if the template cannot be read
   */
  reading<T>(work: () => Promise<T>): Promise<T>;
}

export function templateIo({ world: runtime, signal }: Pick<Context, 'world' | 'signal'>): TemplateIo {
  const { cwd, stdin, fetch = globalThis.fetch } = runtime;
  return {
    cwd,
    stdin,
    fetch,
    signal,
    async reading(work) {
      try {
        return await work();
      } catch (error) {
        // Checks the error name, because `instanceof` would load the template package and slow down the CLI start.
        const isUnreadable = error instanceof Error && error.name === 'UnreadableError';
        throw isUnreadable ? new CliError('usage', error.message, { cause: error }) : error;
      }
    },
  };
}
