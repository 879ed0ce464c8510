import type { PlannedResource, TemplateInstall, UpdatePreview } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { confirm } from '../prompts/confirm.ts';

interface Removal {
  install: Pick<TemplateInstall, 'id' | 'resources'>;
  /** Names of the apps whose removal the user confirmed with `--remove`. */
  confirmed: readonly string[];
}

/**
 * Asks the user to confirm each app that an update removes. Without a terminal or with `--yes`, one `--remove` for each
 * app is required.
 * @throws CliError with exit `conflict` if the update would remove all apps
 * @throws CliError with exit `usage` if a confirmation is missing and there is no prompt
 * @throws CliError with exit `failed` if the user types another name
 */
export async function confirmRemovals(
  { ask: prompter, globals, out }: Pick<Context, 'ask' | 'globals' | 'out'>,
  { changes }: Pick<UpdatePreview, 'changes'>,
  { install, confirmed }: Removal,
): Promise<void> {
  const removed = changes.filter(({ action }) => action === 'remove');
  if (removed.length === 0) return;
  refuseRemovalOfAll(removed, install);
  for (const one of removed) out.note(`- ${sentence(one)}.`);
  const open = removed.filter(({ name }) => !confirmed.includes(name));
  if (!prompter.isPossible || globals.yes) {
    if (globals.yes && open.length === 0) return;
    const options = ['--yes', ...removed.map(({ name }) => `--remove ${name}`)].join(' ');
    throw new CliError(
      'usage',
      `The update removes ${listed(removed)}. To confirm, add: ${options}. Nothing was changed.`,
    );
  }
  for (const one of open) await confirm({ what: sentence(one), name: one.name }, { ask: prompter, yes: false });
}

/**
 * If an update would remove all apps, the user probably chose the wrong file.
 * @throws CliError with exit `conflict`
 */
function refuseRemovalOfAll(removed: readonly PlannedResource[], { id, resources }: Removal['install']): void {
  const apps = resources.filter(({ kind }) => kind === 'app');
  if (apps.some(({ key }) => !removed.some((one) => one.key === key))) return;
  throw new CliError(
    'conflict',
    `The Compose file contains none of the installed apps, so the update would remove all of them: ${listed(removed)}. Nothing was changed. If a service has a new name, keep the old service for one update. To remove the application, run: davit template uninstall ${id}`,
  );
}

function sentence({ name, reference }: PlannedResource): string {
  return `${name} is no longer in the file. Davit removes the app ${reference} and keeps its data`;
}

function listed(resources: readonly PlannedResource[]): string {
  return resources.map(({ name }) => name).join(', ');
}
