import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['platform', 'list'],
  summary: 'List the images that Davit builds, with their versions and last check for updates',
  description:
    'Davit builds the images of the proxy, the registry, the DNS resolver and the databases. The column "last check" shows when Davit last searched for updates of the packages in an image.',
  examples: [{ line: 'davit platform list', does: 'List the images that Davit builds' }],
  async run({ client, out }) {
    const { platform_images } = await (await client()).getInstance();
    out.list(platform_images, {
      columns: [
        { header: 'image', value: ({ name }) => name, style: () => 'bold' },
        {
          header: 'version',
          value: ({ name, packages }) => packages.find((one) => one.name.includes(name))?.version ?? null,
        },
        { header: 'built', value: ({ built_at }) => minute(built_at) },
        { header: 'last check', value: ({ checked_at }) => minute(checked_at) ?? 'never' },
        { header: 'update', value: ({ update }) => update?.state.replace('_', ' ') ?? null },
      ],
      id: ({ name }) => name,
      empty: 'No platform images found.',
    });
  },
});
