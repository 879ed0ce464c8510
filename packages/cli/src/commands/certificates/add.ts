import { defineCommand } from '../../declaration/command.ts';
import { certificateFields } from '../../views/certificate.ts';
import { PEM_FILES, pemFiles } from './pem-files.ts';

export const command = defineCommand({
  path: ['cert', 'add'],
  summary: 'Upload a certificate',
  description:
    'All domains that the certificate covers use the certificate immediately. An uploaded certificate takes precedence over a certificate that Davit requested. Required role: admin.',
  arguments: PEM_FILES,
  examples: [{ line: 'davit cert add fullchain.pem privkey.pem', does: 'Upload a certificate and its private key' }],
  async run({ client, out, world: runtime, args }) {
    const certificate = await (await client()).uploadCertificate({ body: await pemFiles(args, runtime.cwd) });
    out.record(certificate, certificateFields(certificate), certificate.id);
  },
});
