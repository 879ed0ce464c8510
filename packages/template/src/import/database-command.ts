import { wordsOfCommand } from './command-line.ts';
import type { Teller } from './notes.ts';
import type { Values } from './values.ts';
import type { Variables } from './variables.ts';

/**
 * Redis parameters that every managed database already has: password, append-only file, default port, and listening on
 * all addresses.
 */
const USUAL_REDIS: Record<string, RegExp> = {
  '--requirepass': /./,
  '--appendonly': /^yes$/i,
  '--port': /^6379$/,
  '--bind': /^(?:0\.0\.0\.0|\*)$/,
};

/** Adds a note to the import report if a Redis command sets only values that every managed database already has. */
export function reportUsualCommand(engine: string, service: Values, variables: Variables, report: Teller): void {
  if (engine !== 'redis') return;
  const words = wordsOfCommand(service.command, variables) ?? [];
  const parameters = /^(?:redis|valkey)-server$/.test(words[0] ?? '') ? words.slice(1) : words;
  const pairs = parameters.flatMap((word) => {
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    return equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
  });
  const isUsual = pairs.every((word, index) => index % 2 === 1 || USUAL_REDIS[word]?.test(pairs[index + 1] ?? ''));
  if (words.length > 0 && isUsual)
    report.changed('command', 'The instance creates the password of the database, and stores each change.');
}
