import { helpPath } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { day } from '../../output/words.ts';
import { helpAddress } from '../../progress/help-address.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { untilDone } from '../../progress/until-done.ts';

export const command = defineCommand({
  path: ['cert', 'renew'],
  summary: 'Renew a certificate now',
  description:
    'Davit requests a new certificate immediately, even if earlier requests failed. The current certificate stays in use until the new certificate is available. You cannot renew uploaded certificates. The exit code is 0 only if the certificate is renewed. Required role: admin.',
  arguments: { id: { description: 'ID of the certificate (see `davit cert list`)' } },
  options: { noWait: NO_WAIT },
  examples: [{ line: 'davit cert renew 3', does: 'Renew certificate 3' }],
  async run(context) {
    const { client: connect, out, args, options } = context;
    const params = { certificate: args.id };
    const client = await connect();
    const old = await client.renewCertificate({ params });
    const { id } = old;
    const left = `The renewal of certificate ${id} continues in the background. Show the status: davit cert get ${id}`;
    if (options.noWait) return out.done(old, left, id);
    const { certificate, authority } = await untilDone(context, {
      events: { kinds: 'instance' },
      /*
       * The certificate authority's state is requested first. Otherwise, a pause directly after the renewal would look
       * like a failed renewal.
       */
      read: async (signal) => ({
        authority: await client.getAuthority({ signal }),
        certificate: await client.getCertificate({ params, signal }),
      }),
      isDone: (now) =>
        now.certificate.fingerprint !== old.fingerprint ||
        now.certificate.problem !== null ||
        now.authority.paused_until !== null,
      left,
    });
    if (certificate.fingerprint === old.fingerprint) {
      const { problem, problem_code } = certificate.problem === null ? authority : certificate;
      throw new CliError('failed', `Certificate ${id} was not renewed. ${problem ?? ''}`.trimEnd(), {
        help: await helpAddress(context, helpPath(problem_code)),
      });
    }
    out.done(certificate, `Renewed certificate ${id}. It expires on ${day(certificate.not_after)}.`, id);
  },
});
