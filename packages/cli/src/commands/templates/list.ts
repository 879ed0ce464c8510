import { defineCommand } from '../../declaration/command.ts';
import { templateList } from '../../views/template.ts';

export const command = defineCommand({
  path: ['template', 'list'],
  summary: 'List the templates in the catalog',
  options: {
    search: { short: 's', value: 'words', description: 'text to search for in names and descriptions' },
    tag: { short: 't', value: 'tag', description: 'only templates with this tag' },
    sort: { value: 'order', choices: ['recent', 'stars'], description: 'order of the results (default: recent)' },
    limit: { short: 'n', value: 'n', description: 'maximum number of results (default: 24, maximum: 48)' },
  },
  examples: [
    { line: 'davit template list', does: 'List the newest templates' },
    { line: 'davit template list --search wiki --sort stars', does: 'Search for templates and sort them by stars' },
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
    if (page.next_cursor !== null) out.note('There are more templates. Use --search to narrow the list.', 'dim');
  },
});
