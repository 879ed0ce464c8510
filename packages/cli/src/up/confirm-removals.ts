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
 * Asks the user to confirm each app that an update removes or takes over. Without a terminal, `--yes` and one
 * `--remove` for each app are required.
 * @throws CliError with exit `conflict` if the update would remove all apps
 * @throws CliError with exit `usage` if there is no terminal and a confirmation is missing
 * @throws CliError with exit `failed` if the user types another name
 */
export async function confirmRemovals(
  { ask: prompter, globals, out }: Pick<Context, 'ask' | 'globals' | 'out'>,
  { changes }: UpdatePreview,
  { install, confirmed }: Removal,
): Promise<void> {
  const affected = changes.filter(({ action }) => action === 'remove' || action === 'adopt');
  if (affected.length === 0) return;
  refuseRemovalOfAll(affected, install);
  for (const one of affected) out.note(`- ${sentence(one)}.`);
  const open = affected.filter(({ name }) => !confirmed.includes(name));
  if (!prompter.isPossible || globals.yes) {
    if (globals.yes && open.length === 0) return;
    const options = ['--yes', ...affected.map(({ name }) => `--remove ${name}`)].join(' ');
    throw new CliError(
      'usage',
      `The update removes ${listed(affected)}. To confirm, add: ${options}. Nothing was changed.`,
    );
  }
  for (const one of open) await confirm({ what: sentence(one), name: one.name }, { ask: prompter, yes: false });
}

/** An update that removes all apps is more likely a wrong file than an intention. */
function refuseRemovalOfAll(affected: readonly PlannedResource[], { id, resources }: Removal['install']): void {
  const removed = affected.filter(({ action }) => action === 'remove');
  const apps = resources.filter(({ kind }) => kind === 'app');
  if (apps.some(({ key }) => !removed.some((one) => one.key === key))) return;
  throw new CliError(
    'conflict',
    `The Compose file contains none of the installed apps, so the update would remove all of them: ${listed(removed)}. Nothing was changed. To remove the application, run: davit template uninstall ${id}`,
  );
}

function sentence({ action, kind, name, reference }: PlannedResource): string {
  if (action === 'adopt') return `The update takes over the ${kind.replace('_', ' ')} ${reference}`;
  return `${name} is no longer in the file. Davit removes the app ${reference} and keeps its data`;
}

function listed(resources: readonly PlannedResource[]): string {
  return resources.map(({ name }) => name).join(', ');
}
