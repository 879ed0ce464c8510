import { defineCommand } from '../../declaration/command.ts';
import { certificateFields } from '../../views/certificate.ts';

export const command = defineCommand({
  path: ['cert', 'get'],
  summary: 'Show a certificate',
  arguments: { id: { description: 'ID of the certificate (see `davit cert list`)' } },
  examples: [{ line: 'davit cert get 3', does: 'Show the renewal date and the hosts of certificate 3' }],
  async run({ client, out, args }) {
    const certificate = await (await client()).getCertificate({ params: { certificate: args.id } });
    out.record(certificate, certificateFields(certificate), certificate.id);
  },
});
