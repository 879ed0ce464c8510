import { defineCommand } from '../../declaration/command.ts';
import { appList } from '../../views/app.ts';

export const command = defineCommand({
  path: ['app', 'list'],
  summary: 'List the apps',
  options: {
    project: { short: 'p', value: 'project', description: 'only apps of this project' },
    label: {
      short: 'l',
      value: 'label',
      repeatable: true,
      description: 'only apps with this label, as key or key=value',
    },
  },
  examples: [
    { line: 'davit app list', does: 'List all apps' },
    { line: 'davit app list -p shop -l tier=web', does: 'Filter by project and label' },
    { line: 'davit app list -q', does: 'Print only the names of the apps, for scripts' },
  ],
  async run({ client, out, options: { project, label } }) {
    const query = { ...(label.length > 0 && { label: label.join(',') }) };
    const api = await client();
    const apps = await api.listApps({ query: query as never });
    const shown = project === undefined ? apps : apps.filter((app) => app.project === project);
    // The API responds with `not_found` if the project does not exist. An empty list would hide a misspelled name.
    if (project !== undefined && shown.length === 0) await api.getProject({ params: { project } });
    out.list(shown, appList);
  },
});
