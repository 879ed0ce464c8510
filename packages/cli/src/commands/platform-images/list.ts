import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['platform', 'list'],
  summary: 'List the platform images and the age of their packages',
  description:
    'The proxy, the registry, the resolver and the databases run from these images. The last check is the time when their packages were last compared with the package repositories.',
  examples: [{ line: 'davit platform list', does: 'List all platform images' }],
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
