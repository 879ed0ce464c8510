import { parseArgs } from 'node:util';

/** Error for an invalid command line. The message is one sentence. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export interface CheckArguments {
  command: 'check';
  targets: string[];
  format: 'text' | 'json' | 'sarif';
  strict: boolean;
  noColor: boolean;
}

export interface ImportArguments {
  command: 'import';
  file: string;
  output: string | null;
  force: boolean;
  project: string | null;
  repo: string | null;
  json: boolean;
  noColor: boolean;
}

export type Arguments = CheckArguments | ImportArguments | { command: 'help' } | { command: 'version' };

const COMMON = { help: { type: 'boolean', short: 'h' }, 'no-color': { type: 'boolean' } } as const;

/**
 * Parses the command line of `davit-template`.
 * @throws UsageError
 */
export function readArguments(words: readonly string[]): Arguments {
  const [command, ...rest] = words;
  if (command === undefined || command === 'help' || command === '--help' || command === '-h')
    return { command: 'help' };
  if (command === 'version' || command === '--version') return { command: 'version' };
  try {
    if (command === 'check') return checkArguments(rest);
    if (command === 'import') return importArguments(rest);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UsageError(`Unknown command “${command}”. Use “davit-template check” or “davit-template import”.`);
}

function checkArguments(words: string[]): Arguments {
  const options = {
    ...COMMON,
    json: { type: 'boolean' },
    sarif: { type: 'boolean' },
    strict: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
  if (values.help) return { command: 'help' };
  if (values.json && values.sarif)
    throw new UsageError('The options --json and --sarif cannot be used together. Use only one of them.');
  const format = values.json ? 'json' : values.sarif ? 'sarif' : 'text';
  const targets = positionals.length > 0 ? positionals : ['.'];
  return { command: 'check', targets, format, strict: values.strict ?? false, noColor: values['no-color'] ?? false };
}

function importArguments(words: string[]): Arguments {
  const text = { type: 'string' } as const;
  const options = {
    ...COMMON,
    output: { ...text, short: 'o' },
    force: { type: 'boolean' },
    project: text,
    repo: text,
    json: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
  if (values.help) return { command: 'help' };
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError(
      'The name of the Compose file is missing, or there are several. Name one file, or - for stdin.',
    );
  const { output = null, project = null, repo = null, force = false, json = false } = values;
  return { command: 'import', file, output, force, project, repo, json, noColor: values['no-color'] ?? false };
}
