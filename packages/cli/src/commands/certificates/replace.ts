import { defineCommand } from '../../declaration/command.ts';
import { certificateFields } from '../../views/certificate.ts';
import { PEM_FILES, pemFiles } from './pem-files.ts';

export const command = defineCommand({
  path: ['cert', 'replace'],
  summary: 'Replace an uploaded certificate',
  description:
    'Davit uses the new certificate immediately for all of its host names. Existing connections stay open. Required role: admin.',
  arguments: { id: { description: 'ID of the certificate (see `davit cert list`)' }, ...PEM_FILES },
  examples: [{ line: 'davit cert replace 3 fullchain.pem privkey.pem', does: 'Replace certificate 3' }],
  async run({ client, out, world: runtime, args }) {
    const body = await pemFiles(args, runtime.cwd);
    const certificate = await (await client()).replaceCertificate({ params: { certificate: args.id }, body });
    out.record(certificate, certificateFields(certificate), certificate.id);
  },
});
