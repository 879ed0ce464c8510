import { defineCommand } from '../../declaration/command.ts';
import { certificateFields } from '../../views/certificate.ts';
import { PEM_FILES, pemFiles } from './pem-files.ts';

export const command = defineCommand({
  path: ['cert', 'add'],
  summary: 'Upload a certificate',
  description: 'It is presented at once for every host that it covers, before any that was ordered. Admins only.',
  arguments: PEM_FILES,
  examples: [{ line: 'davit cert add fullchain.pem privkey.pem', does: 'chain and key are checked first' }],
  async run({ client, out, world, args }) {
    const certificate = await (await client()).uploadCertificate({ body: await pemFiles(args, world.cwd) });
    out.record(certificate, certificateFields(certificate), certificate.id);
  },
});
