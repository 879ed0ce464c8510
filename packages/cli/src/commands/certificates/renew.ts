import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['cert', 'renew'],
  summary: 'Renew an ordered certificate now',
  description: 'The present one is served until the new one is in. Waiting after failures ends. Admins only.',
  arguments: { number: { description: 'as the list shows it' } },
  examples: [{ line: 'davit cert renew 3', does: 'after its problem is mended' }],
  async run({ client, out, args }) {
    const certificate = await (await client()).renewCertificate({ params: { certificate: args.number } });
    out.done(
      certificate,
      `Certificate ${certificate.id} is being renewed: «davit cert get ${certificate.id}».`,
      certificate.id,
    );
  },
});
