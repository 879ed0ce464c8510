import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['cert', 'authority'],
  summary: 'Show the certificate authority and its rate limits',
  description: 'Required role: admin.',
  examples: [{ line: 'davit cert authority', does: 'Show the rate limits and how much of each limit is used' }],
  async run({ client, out }) {
    const authority = await (await client()).getAuthority();
    out.record(
      authority,
      [
        ['authority', authority.name, 'bold'],
        ['directory', authority.directory],
        ['contact', authority.email],
        ['problem', authority.problem ?? undefined, 'red'],
        ['paused until', minute(authority.paused_until) ?? undefined],
        ['account', authority.account],
        ['external account', authority.external_account ?? undefined],
        [
          'limits',
          authority.limits.map(
            ({ limit, subject, used, most }) =>
              `${limit}${subject === null ? '' : ` of ${subject}`}: ${used} of ${most}`,
          ),
        ],
      ],
      authority.name,
    );
  },
});
