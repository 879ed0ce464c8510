import { defineCommand } from '../../declaration/command.ts';
import { certificateFields } from '../../views/certificate.ts';

export const command = defineCommand({
  path: ['cert', 'get'],
  summary: 'Show a certificate',
  arguments: { number: { description: 'as the list shows it' } },
  examples: [{ line: 'davit cert get 3', does: 'when it is renewed, and who uses it' }],
  async run({ client, out, args }) {
    const certificate = await (await client()).getCertificate({ params: { certificate: args.number } });
    out.record(certificate, certificateFields(certificate), certificate.id);
  },
});
