import { fetchOf } from '../client/requests.ts';
import { allCommands } from '../commands/all.ts';
import { type Connection, chooseConnection } from '../credentials/choose.ts';
import type { Command } from '../declaration/command.ts';
import type { Context } from '../declaration/context.ts';
import type { GlobalOptions } from '../declaration/global-options.ts';
import { Printer } from '../output/printer.ts';
import type { Runtime } from '../process/runtime.ts';
import { createPrompter } from '../prompts/prompter.ts';
import { report } from './failure.ts';
import { parseCommandLine } from './parse.ts';

/**
 * Parses and runs a command line. Prints errors and never throws.
 * @returns the exit code
 */
export async function runCli(args: readonly string[], runtime: Runtime): Promise<number> {
  const early = new Printer(runtime, globalsBefore(args));
  try {
    const parsed = await parseCommandLine(args, runtime);
    if (parsed.kind === 'shown') return 0;
    const context = contextOf(parsed.globals, runtime);
    try {
      return (await execute(parsed.command, context, parsed.values)) ?? 0;
    } catch (error) {
      const { command, values: args } = parsed;
      return await report(error, context.out, { signal: runtime.signal, client: context.client, command, args });
    }
  } catch (error) {
    return report(error, early, { signal: runtime.signal });
  }
}

interface Values {
  args: Record<string, unknown>;
  options: Record<string, unknown>;
}

function execute(command: Command, context: Context, values: Values): Promise<number | undefined> {
  // The type cast is safe, because the parser creates the values according to the command's declaration.
  return command.run({ ...context, ...values } as Context & { args: never; options: never });
}

function contextOf(globals: GlobalOptions, runtime: Runtime): Context {
  let chosen: Promise<Connection> | undefined;
  const connection = () => (chosen ??= chooseConnection(globals, runtime.env));
  const client = async () => {
    const to = await connection();
    const { createClient } = await import('../client/typed-client.ts');
    return createClient({ url: to.url, ...(to.key !== undefined && { key: to.key }), fetch: fetchOf(to, runtime) });
  };
  const out = new Printer(runtime, globals);
  const { env, signal } = runtime;
  return {
    client,
    connection,
    commands: allCommands,
    out,
    ask: createPrompter(runtime),
    globals,
    env,
    world: runtime,
    signal,
  };
}

/**
 * Searches the arguments for `--json` and `--no-color` before the command line is parsed. Therefore, these options also
 * apply to parse errors.
 */
function globalsBefore(args: readonly string[]): { json: boolean; quiet: boolean; noColor: boolean } {
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  return { json: options.includes('--json'), quiet: false, noColor: options.includes('--no-color') };
}
