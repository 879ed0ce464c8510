import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CA_FILE } from '@davit/api';
import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { demandNewFile, FORCE } from '../../arguments/new-file.ts';
import { defineCommand } from '../../declaration/command.ts';
import { replaceFile } from '../../process/replace-file.ts';
import { credentialFields } from '../../views/database.ts';

/** File permissions of the CA certificate. All users may read the file, because a certificate is not secret. */
const CA_MODE = 0o644;

export const command = defineCommand({
  path: ['database', 'credentials'],
  summary: 'Show how to connect to a database, with its password',
  description: `For an exposed database, also shows commands and connection strings for common clients. The clients verify the database with the CA certificate of the instance. The option --save-ca saves this certificate as ${CA_FILE} in the current folder. With --quiet, prints only the connection URL. Required permission: read secrets.`,
  arguments: { database: DATABASE },
  options: {
    saveCa: { description: `save the CA certificate of the instance as ${CA_FILE}` },
    force: FORCE,
  },
  examples: [
    {
      line: 'davit database credentials shop/production/db',
      does: 'Show the connection URL and the password of a database',
    },
    {
      line: 'davit database credentials shop/production/db --save-ca',
      does: `Also save the CA certificate as ${CA_FILE}`,
    },
  ],
  async run({ client, out, args, options, world: runtime }) {
    const api = await client();
    const file = resolve(runtime.cwd, CA_FILE);
    const ca = options.saveCa ? await api.getInstanceCa() : null;
    const isSaved = ca !== null && (await contains(file, ca));
    // The check comes before the request for the credentials, so that a refused command does not read them.
    if (ca !== null && !isSaved) await demandNewFile(file, options);
    const credentials = await api.getDatabaseCredentials({ params: databaseOf(args.database) });
    if (isSaved) out.note(`${CA_FILE} already contains the CA certificate.`);
    else if (ca !== null) {
      await replaceFile(file, ca, CA_MODE);
      out.note(`Saved the CA certificate as ${CA_FILE}.`);
    }
    out.record(credentials, credentialFields(credentials), credentials.exposed?.url ?? credentials.url);
  },
});

/** Returns whether a file has exactly this content. Returns `false` if the file cannot be read. */
async function contains(file: string, text: string): Promise<boolean> {
  try {
    return (await readFile(file, 'utf8')) === text;
  } catch {
    return false;
  }
}
