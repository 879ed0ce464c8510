import { resolve } from 'node:path';
import { bytes } from '@davit/api';
import { demandNewFile, FORCE } from '../../arguments/new-file.ts';
import { suggestedName, writeOut, writeWhole } from '../../client/download.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';

export const command = defineCommand({
  path: ['backup', 'download'],
  summary: 'Download a backup and decrypt it',
  description:
    'The file is a standard database dump: for PostgreSQL, it has the format of pg_dump. If the download fails, the command removes the incomplete file; run the command again. Required role: admin.',
  arguments: {
    backup: { description: 'ID of the backup (see `davit backup list`)' },
    file: {
      description:
        'path of the file, or "-" for stdout (default: a file in the current folder; the instance suggests its name)',
      optional: true,
      completes: 'file',
    },
  },
  options: { force: FORCE },
  examples: [
    { line: 'davit backup download 12', does: 'Download backup 12 to the current folder' },
    {
      line: 'davit backup download 12 - | pg_restore -d shop',
      does: 'Restore backup 12 into your own PostgreSQL server',
    },
  ],
  async run({ client, out, args, options, world: runtime, signal }) {
    const api = await client();
    if (args.file === '-' && out.isJson)
      throw new CliError(
        'usage',
        'Cannot write both the backup and the JSON output to stdout: specify a file for the backup.',
      );
    if (args.file !== undefined && args.file !== '-') await demandNewFile(resolve(runtime.cwd, args.file), options);
    let headers = new Headers();
    const onHeaders = (got: Headers) => {
      headers = got;
    };
    const body = await api.downloadBackup({ params: { backup: args.backup }, signal, onHeaders });
    if (args.file === '-') return writeOut(body, runtime.stdout, signal);
    const name = args.file ?? suggestedName(headers, `backup-${Number(args.backup)}.dump`);
    const file = resolve(runtime.cwd, name);
    try {
      await demandNewFile(file, options);
    } catch (error) {
      await body.cancel();
      throw error;
    }
    const size = await writeWhole(body, file, signal);
    out.done({ file, size_bytes: size }, `Downloaded backup ${args.backup} to ${name} (${bytes(size)}).`, file);
  },
});
