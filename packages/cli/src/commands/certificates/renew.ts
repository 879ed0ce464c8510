import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['cert', 'renew'],
  summary: 'Renew a certificate now',
  description:
    'Davit requests a new certificate immediately, even if earlier requests failed. The current certificate stays in use until the new certificate is available. You cannot renew uploaded certificates. Required role: admin.',
  arguments: { number: { description: 'number of the certificate (see `davit cert list`)' } },
  examples: [{ line: 'davit cert renew 3', does: 'Renew certificate 3' }],
  async run({ client, out, args }) {
    const certificate = await (await client()).renewCertificate({ params: { certificate: args.number } });
    out.done(
      certificate,
      `Renewing certificate ${certificate.id}. Show the status: davit cert get ${certificate.id}`,
      certificate.id,
    );
  },
});
