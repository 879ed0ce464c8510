import type { DraftInput } from '../draft.ts';
import type { Scope } from '../meaning/scope.ts';

const FEWEST_BYTES = 8;
const MOST_BYTES = 1024;

/**
 * Checks the length of generated secrets. For `alphanumeric`, the length is a number of characters. For formats such as
 * `hex`, it is a number of bytes. The length of a UUID is fixed.
 */
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
      if (bytes !== undefined)
        refuse('bytes', '`bytes` can be set only together with a `format` that encodes bytes.', 'Set `format: hex`.');
      break;
    case 'alphanumeric':
      if (generate === undefined) {
        refuse('format', 'The length of the generated secret is missing.', 'Set `generate: 32`.');
      }
      if (bytes !== undefined) refuse('bytes', 'The format `alphanumeric` does not encode bytes.', 'Remove `bytes`.');
      break;
    case 'uuid':
      if (bytes !== undefined) refuse('bytes', 'A UUID has a fixed length.', 'Remove `bytes`.');
      if (generate !== undefined) refuse('generate', 'A UUID has a fixed length.', 'Remove `generate`.');
      break;
    default:
      if (bytes === undefined) {
        refuse('format', `The number of random bytes of \`${format}\` is missing.`, 'Set `bytes: 32`.');
      }
      if (generate !== undefined) {
        refuse(
          'generate',
          `\`generate\` is a number of characters, but \`${format}\` encodes bytes.`,
          'Set `bytes` instead.',
        );
      }
  }
  if (bytes !== undefined && (bytes < FEWEST_BYTES || bytes > MOST_BYTES)) {
    error(
      'secret.bytes',
      [...path, 'bytes'],
      `\`bytes\` must be from ${FEWEST_BYTES} to ${MOST_BYTES}, but is ${bytes}.`,
    );
  }
}
