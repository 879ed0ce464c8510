import { generateKeyPairSync } from 'node:crypto';
import { formatRecoveryKey } from '@davit/api/recovery-key.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { shownOnce } from '../../output/shown-once.ts';

export const command = defineCommand({
  path: ['instance', 'recovery-key'],
  summary: 'Create or replace the recovery key of the instance',
  description:
    'The recovery key can decrypt the copy of a lost master key in the data directory. The command creates the recovery key on your computer, and sends only its public part to the instance. It prints the recovery key once. An earlier recovery key stops working. Required role: admin with access to all projects.',
  examples: [
    { line: 'davit instance recovery-key', does: 'Print a new recovery key' },
    { line: 'davit instance recovery-key --local', does: 'Print a new recovery key, on the server' },
  ],
  async run({ client, out }) {
    const { d, x } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
    if (d === undefined || x === undefined) throw new CliError('failed', 'This Node cannot create the recovery key.');
    await (await client()).replaceRecoveryKey({ body: { public_key: x } });
    const key = formatRecoveryKey(Buffer.from(d, 'base64url'));
    shownOnce(
      out,
      { recovery_key: key },
      key,
      'Store the recovery key outside the server. Davit cannot show it again.',
    );
  },
});
