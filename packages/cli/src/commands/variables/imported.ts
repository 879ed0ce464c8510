import { BODY_BYTES, type ReadEnvFile, VariableName, VariablesPatch } from '@davit/api';
import { CliError } from '../../errors/exit.ts';

export type ImportedVariables = ReadEnvFile['variables'];

/**
 * Maximum size of the variables in one request, in bytes of JSON. The rest of the request body needs fewer than 100
 * bytes.
 */
const BATCH_BYTES = BODY_BYTES - 100;

/**
 * Checks all variables of a file before any change, so that an invalid variable changes nothing. The error contains
 * only the line number, because the text of the line may be a part of a secret.
 * @throws CliError with exit `usage`
 */
export function demandValid(variables: ImportedVariables, file: string): void {
  if (variables.size === 0) {
    throw new CliError('usage', `${file} contains no variables. Write one variable a line, as NAME=value.`);
  }
  for (const [name, { value, line }] of variables) {
    const wrong = problemOf('name', VariableName.safeParse(name)) ?? problemOf('value', valueCheck(value));
    if (wrong !== null) throw new CliError('usage', `Cannot import line ${line} of ${file}: ${wrong}.`);
  }
}

function valueCheck(value: string) {
  return VariablesPatch.safeParse({ set: { A: value } });
}

/** Result of checking a value with a schema. */
interface Checked {
  error?: { issues: readonly { message: string }[] } | undefined;
}

function problemOf(part: string, { error }: Checked): string | null {
  return error === undefined ? null : `the ${part} ${error.issues[0]?.message ?? 'is not valid'}`;
}

/** Divides variables into groups. Each group fits into one request. */
export function batchesOf(variables: ImportedVariables): Record<string, string>[] {
  const batches: [string, string][][] = [];
  let room = 0;
  for (const [name, { value }] of variables) {
    // The JSON body contains the name of a secret variable twice. The other 7 bytes are quotes, a colon and commas.
    const bytes = Buffer.byteLength(JSON.stringify(value)) + 2 * name.length + 7;
    if (bytes > room) {
      batches.push([]);
      room = BATCH_BYTES;
    }
    batches.at(-1)?.push([name, value]);
    room -= bytes;
  }
  return batches.map((batch) => Object.fromEntries(batch));
}
