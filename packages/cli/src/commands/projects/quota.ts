import { defineCommand } from '../../declaration/command.ts';
import { quotaRows } from '../../views/quota.ts';

export const command = defineCommand({
  path: ['project', 'quota'],
  summary: 'Show the quota of a project and how much of it is used',
  arguments: { project: { description: 'name of the project', completes: 'project' } },
  examples: [{ line: 'davit project quota shop', does: 'Show each limit of a project and how much of it is used' }],
  async run({ client, out, args }) {
    const quota = await (await client()).getProjectQuota({ params: { project: args.project } });
    out.record(quota, quotaRows(quota), args.project);
  },
});
