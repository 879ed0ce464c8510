import type { DraftInput } from '../draft.ts';
import type { Scope } from '../meaning/scope.ts';

const FEWEST_BYTES = 8;
const MOST_BYTES = 1024;

/** Checks that the options of a secret match its format: random bytes, a number of characters, or neither. */
export function checkSecrets(scope: Scope): void {
  for (const [index, input] of (scope.draft.inputs ?? []).entries()) {
    if (input.type === 'secret') checkSecret(scope, input, index);
  }
}

function checkSecret({ error }: Scope, { format, bytes, generate }: DraftInput, index: number): void {
  const path = ['inputs', index];
  const refuse = (key: 'format' | 'bytes' | 'generate', message: string, hint: string) =>
    error('secret.format', [...path, key], message, hint);
  switch (format) {
    case undefined:
      if (bytes !== undefined) refuse('bytes', '`bytes` needs a `format` that is made of bytes.', 'Set `format: hex`.');
      break;
    case 'alphanumeric':
      if (generate === undefined) {
        refuse('format', 'How long a generated secret is, is not said.', 'Set `generate: 32`.');
      }
      if (bytes !== undefined) refuse('bytes', '`alphanumeric` is not made of bytes.', 'Remove `bytes`.');
      break;
    case 'uuid':
      if (bytes !== undefined) refuse('bytes', 'A uuid is always as long.', 'Remove `bytes`.');
      if (generate !== undefined) refuse('generate', 'A uuid is always as long.', 'Remove `generate`.');
      break;
    default:
      if (bytes === undefined) {
        refuse('format', `How many random bytes \`${format}\` is made of is not said.`, 'Set `bytes: 32`.');
      }
      if (generate !== undefined) {
        refuse(
          'generate',
          `\`generate\` counts characters, and \`${format}\` is made of bytes.`,
          'Set `bytes` instead.',
        );
      }
  }
  if (bytes !== undefined && (bytes < FEWEST_BYTES || bytes > MOST_BYTES)) {
    error('secret.bytes', [...path, 'bytes'], `\`bytes\` is ${FEWEST_BYTES} to ${MOST_BYTES}, not ${bytes}.`);
  }
}
