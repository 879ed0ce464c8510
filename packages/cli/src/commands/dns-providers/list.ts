import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['dns-provider', 'list'],
  summary: 'List the DNS providers',
  description: 'Required role: admin.',
  examples: [{ line: 'davit dns-provider list', does: 'List all DNS providers' }],
  async run({ client, out }) {
    out.list(await (await client()).listDnsProviders(), {
      columns: [
        { header: 'ID', value: ({ id }) => id, align: 'right', style: () => 'bold' },
        { header: 'name', value: ({ name }) => name },
        { header: 'provider', value: ({ provider }) => provider },
        { header: 'domains', value: ({ domains }) => domains.join(', ') },
        { header: 'credentials', value: ({ variables }) => variables.join(', ') },
      ],
      id: ({ id }) => id,
      empty: 'No DNS providers found. Domains are validated over HTTP.',
    });
  },
});
