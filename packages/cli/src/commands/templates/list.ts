import { defineCommand } from '../../declaration/command.ts';
import { templateList } from '../../views/template.ts';

export const command = defineCommand({
  path: ['template', 'list'],
  summary: 'List the templates in the catalog',
  options: {
    search: { short: 's', value: 'words', description: 'in names and descriptions' },
    tag: { short: 't', value: 'tag', description: 'only with this topic' },
    sort: { value: 'order', choices: ['recent', 'stars'], description: 'newest releases first unless given' },
    limit: { short: 'n', value: 'n', description: 'how many, 48 at most; 24 unless given' },
  },
  examples: [
    { line: 'davit template list', does: 'the newest' },
    { line: 'davit template list --search wiki --sort stars', does: 'a search' },
  ],
  async run({ client, out, options: { search, tag, sort, limit } }) {
    const query = {
      ...(search !== undefined && { q: search }),
      ...(tag !== undefined && { tag }),
      ...(sort !== undefined && { sort }),
      ...(limit !== undefined && { limit }),
    };
    const page = await (await client()).listTemplates({ query });
    if (out.isJson) return out.json(page);
    out.list(page.templates, templateList);
    if (page.next_cursor !== null) out.note('There are more: «--search» narrows them.', 'dim');
  },
});
