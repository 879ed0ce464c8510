import { defineCommand } from '../../declaration/command.ts';
import { certificateList } from '../../views/certificate.ts';

export const command = defineCommand({
  path: ['cert', 'list'],
  summary: 'List certificates',
  examples: [{ line: 'davit cert list', does: 'List all certificates, and show problems with them' }],
  async run({ client, out }) {
    out.list(await (await client()).listCertificates(), certificateList);
  },
});
