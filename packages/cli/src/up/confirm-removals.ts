import type { PlannedResource, TemplateInstall, UpdatePreview } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { confirm } from '../prompts/confirm.ts';

interface Removal {
  install: Pick<TemplateInstall, 'id' | 'resources'>;
  /** Names of the apps whose removal the user confirmed with `--remove`. */
  confirmed: readonly string[];
  /** Source of the update for messages: `Compose file`, `new release` or `new template file`. */
  source: string;
}

/**
 * Asks the user to confirm the removal of each app that an update removes. Without a terminal or with `--yes`, the
 * option `--remove` is required for each app.
 * @returns the names of the apps that the update may remove
 * @throws CliError with exit `conflict` if the update would remove all apps
 * @throws CliError with exit `usage` if a confirmation is missing and there is no prompt
 * @throws CliError with exit `failed` if the user types another name
 */
export async function confirmRemovals(
  { ask: prompter, globals, out }: Pick<Context, 'ask' | 'globals' | 'out'>,
  { changes }: Pick<UpdatePreview, 'changes'>,
  { install, confirmed, source }: Removal,
): Promise<string[]> {
  const removed = changes.filter(({ action }) => action === 'remove');
  const names = removed.map(({ name }) => name);
  if (removed.length === 0) return names;
  refuseRemovalOfAll(removed, install, source);
  for (const one of removed) out.note(`- ${sentence(one, source)}.`);
  const open = removed.filter(({ name }) => !confirmed.includes(name));
  if (!prompter.isPossible || globals.yes) {
    if (globals.yes && open.length === 0) return names;
    const options = ['--yes', ...names.map((name) => `--remove ${name}`)].join(' ');
    throw new CliError(
      'usage',
      `The update removes ${names.join(', ')}. To confirm, add: ${options}. Nothing was changed.`,
    );
  }
  for (const one of open) await confirm({ what: sentence(one, source), name: one.name }, { ask: prompter, yes: false });
  return names;
}

/**
 * Refuses an update that would remove all apps, because the user has probably selected the wrong file.
 * @throws CliError with exit `conflict`
 */
function refuseRemovalOfAll(
  removed: readonly PlannedResource[],
  { id, resources }: Removal['install'],
  source: string,
): void {
  const apps = resources.filter(({ kind }) => kind === 'app');
  if (apps.some(({ key }) => !removed.some((one) => one.key === key))) return;
  throw new CliError(
    'conflict',
    `The ${source} contains none of the installed apps, so the update would remove all of them: ${removed.map(({ name }) => name).join(', ')}. Nothing was changed. If an app has a new key, keep the old key for one update. To remove the application, run: davit template uninstall ${id}`,
  );
}

function sentence({ name, reference }: PlannedResource, source: string): string {
  return `The ${source} does not contain ${name}. Davit removes the app ${reference} and keeps its data`;
}
