import { defineCommand } from '../../declaration/command.ts';
import { certificateFields } from '../../views/certificate.ts';
import { PEM_FILES, pemFiles } from './pem-files.ts';

export const command = defineCommand({
  path: ['cert', 'replace'],
  summary: 'Replace an uploaded certificate',
  description: 'The new one is presented at once; no connection is closed for it. Admins only.',
  arguments: { number: { description: 'as the list shows it' }, ...PEM_FILES },
  examples: [{ line: 'davit cert replace 3 fullchain.pem privkey.pem', does: 'with a younger one' }],
  async run({ client, out, world, args }) {
    const body = await pemFiles(args, world.cwd);
    const certificate = await (await client()).replaceCertificate({ params: { certificate: args.number }, body });
    out.record(certificate, certificateFields(certificate), certificate.id);
  },
});
