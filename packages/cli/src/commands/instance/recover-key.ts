import { DATA_DIR, dataDirFlags, runDaemonAction } from '../../client/daemon-program.ts';
import { defineCommand } from '../../declaration/command.ts';
import { oneSecret } from '../../prompts/one-secret.ts';

export const command = defineCommand({
  path: ['instance', 'recover-key'],
  summary: 'Restore a lost master key with the recovery key',
  description:
    'The command asks for the recovery key, decrypts the copy of the master key in the data directory, and writes the file master.key. Run it on the server, as the user that runs Davit. Without a terminal, it reads the recovery key from stdin.',
  options: { dataDir: DATA_DIR },
  examples: [{ line: 'davit instance recover-key', does: 'Restore the master key' }],
  async run({ out, ask, env, options }) {
    const flags = dataDirFlags(options.dataDir, env);
    const input = await oneSecret(ask, 'Recovery key:');
    const lines: string[] = [];
    let result: unknown = null;
    await runDaemonAction({
      args: ['recover-key', ...flags],
      input,
      onEvent: (event) => {
        lines.push(...event.lines);
        result = event.data;
      },
    });
    out.done(result, lines.join(' '));
  },
});
