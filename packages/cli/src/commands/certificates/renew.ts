import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['cert', 'renew'],
  summary: 'Renew an ordered certificate now',
  description:
    'Orders a new certificate immediately, even after failed orders. Hosts use the current certificate until the new certificate is available. Required role: admin.',
  arguments: { number: { description: 'number of the certificate, as in `davit cert list`' } },
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
