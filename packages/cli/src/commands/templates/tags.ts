import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['template', 'tags'],
  summary: 'List the tags (topic labels) of the templates in the catalog',
  examples: [{ line: 'davit template tags', does: 'List the values for `davit template list --tag`' }],
  async run({ client, out }) {
    const answer = await (await client()).listTemplateTags();
    if (out.isJson) return out.json(answer);
    out.list(answer.tags, {
      columns: [{ header: 'tag', value: (tag) => tag, style: () => 'bold' }],
      id: (tag) => tag,
      empty: 'The templates in the catalog have no tags.',
    });
  },
});
