import { resolve } from 'node:path';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { bytes } from '../../output/words.ts';
import { demandNew, suggestedName, writeOut, writeWhole } from './write-file.ts';

export const command = defineCommand({
  path: ['backup', 'download'],
  summary: 'Download a backup, decrypted',
  description:
    'The dump as the engine’s own tool wrote it. Under the name of the file there is all of it or nothing; one that breaks off is begun anew. Admins only.',
  arguments: {
    backup: { description: 'its number' },
    file: {
      description: 'where to; absent: here, as the instance calls it; «-»: stdout',
      optional: true,
      completes: 'file',
    },
  },
  options: { force: { short: 'f', description: 'replace a file that is there' } },
  examples: [
    { line: 'davit backup download 12', does: 'into this folder' },
    { line: 'davit backup download 12 - | pg_restore -d shop', does: 'into a PostgreSQL of your own' },
  ],
  async run({ client, out, args, options, world, signal }) {
    const api = await client();
    if (args.file === '-' && out.isJson) throw new CliError('usage', 'With --json there has to be a file: name one.');
    if (args.file !== undefined && args.file !== '-') await demandNew(resolve(world.cwd, args.file), options);
    let headers = new Headers();
    const onHeaders = (got: Headers) => {
      headers = got;
    };
    const body = await api.downloadBackup({ params: { backup: args.backup }, signal, onHeaders });
    if (args.file === '-') return writeOut(body, world.stdout, signal);
    const name = args.file ?? suggestedName(headers, `backup-${Number(args.backup)}.dump`);
    const file = resolve(world.cwd, name);
    try {
      await demandNew(file, options);
    } catch (error) {
      await body.cancel();
      throw error;
    }
    const size = await writeWhole(body, file, signal);
    out.done({ file, size_bytes: size }, `Backup ${args.backup} is in ${name}: ${bytes(size)}.`, file);
  },
});
