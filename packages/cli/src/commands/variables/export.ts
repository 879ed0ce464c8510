import { resolve } from 'node:path';
import { count } from '@davit/api';
import { demandNewFile, FORCE } from '../../arguments/new-file.ts';
import { defineCommand } from '../../declaration/command.ts';
import type { Context } from '../../declaration/context.ts';
import { writeEnvFile } from '../../env-file/write.ts';
import { CliError } from '../../errors/exit.ts';
import { replaceFile } from '../../process/replace-file.ts';
import { LEVEL, variablesOf } from './level.ts';

const ONLY_OWNER = 0o600;

export const command = defineCommand({
  path: ['env', 'export'],
  summary: 'Write the variables of an app, an environment or a project as an .env file',
  description:
    'The .env file contains the variables that are set directly on the app, environment or project, including the values of secrets. To import this file into another app, environment or project, use `davit env import`. To export secrets, you need the role member or admin.',
  arguments: { level: LEVEL },
  options: {
    output: {
      short: 'o',
      value: 'file',
      description: 'path of the file to write, which only you can read (default: stdout)',
    },
    force: FORCE,
  },
  examples: [
    { line: 'davit env export shop/production/web -o .env', does: 'Write the variables of an app to a file' },
    {
      line: 'davit env export shop/staging | davit env import shop/production - --yes',
      does: 'Copy the variables of an environment to another one',
    },
  ],
  async run(context) {
    const { out, args, options, world: runtime } = context;
    const file = options.output === undefined ? null : resolve(runtime.cwd, options.output);
    if (file !== null) await demandNewFile(file, options);
    const variables = await variablesOf(args.level, context);
    const shown = await variables.get();
    const { text, encoded } = writeEnvFile(readable(shown.vars));
    if (encoded.length > 0)
      out.note(`Only Davit reads the values of these variables correctly: ${encoded.join(', ')}.`, 'yellow');
    noteSecrets(out, shown.secret);
    if (file === null) return out.isJson ? out.json(shown) : out.text(text);
    await write(file, text);
    const number = Object.keys(shown.vars).length;
    const sentence = `Wrote ${count(number, 'variable')} of ${variables.level} to ${options.output}.`;
    out.done({ file, variables: number }, sentence, file);
  },
});

/**
 * Returns the values of all variables.
 * @throws CliError with exit `forbidden` if the user may not read a value
 */
function readable(vars: Readonly<Record<string, string | null>>): Record<string, string> {
  const hidden = Object.keys(vars).filter((name) => vars[name] === null);
  if (hidden.length > 0) {
    throw new CliError(
      'forbidden',
      `You have no permission to read the values of these secrets: ${hidden.join(', ')}. Ask a user with the role member or admin to export the variables.`,
    );
  }
  return vars as Record<string, string>;
}

function noteSecrets(out: Context['out'], secret: readonly string[]): void {
  if (secret.length === 0) return;
  out.note(`The export contains ${count(secret.length, 'secret')}. Import it with --secret to hide all values again.`);
}

async function write(file: string, text: string): Promise<void> {
  try {
    await replaceFile(file, text, ONLY_OWNER);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CliError('failed', `Cannot write ${file} (${code}). Check the folder and its permissions.`, { cause });
  }
}
