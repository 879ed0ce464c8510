import type { DavitFile } from '../davit-yaml/schema.ts';
import { CliError } from '../errors/exit.ts';
import type { Environment } from '../process/env.ts';
import type { Values } from './plan.ts';

/**
 * Returns the environment variables from a davit.yaml. The values of `from_env` variables come from the environment of
 * the CLI process.
 * @throws CliError with exit `usage` if a variable is not set
 */
export function valuesOf({ variables }: DavitFile, env: Pick<Environment, 'variable'>): Values {
  const missing: string[] = [];
  const entries = Object.entries(variables).map(([name, given]) => {
    if (typeof given !== 'object') return [name, { value: String(given), secret: false }] as const;
    const value = env.variable(given.from_env);
    if (value === undefined) missing.push(given.from_env);
    return [name, { value: value ?? '', secret: given.secret }] as const;
  });
  if (missing.length === 0) return Object.fromEntries(entries);
  const names = [...new Set(missing)].join(', ');
  throw new CliError('usage', `davit.yaml uses environment variables that are not set: ${names}.`);
}
