import { type App, count } from '@davit/api';
import type { Loaded } from '../davit-yaml/load.ts';
import type { Context } from '../declaration/context.ts';
import { confirm } from '../prompts/confirm.ts';

/**
 * Asks for a confirmation if davit.yaml would change the number of replicas of the app. A user may have set the current
 * number with `davit app scale`.
 * @param app current app. `null` if the app does not exist yet
 * @throws CliError with exit `usage` (no terminal and no `--yes`) or `failed` (not confirmed)
 */
export async function confirmScale(
  { ask: prompter, globals }: Pick<Context, 'ask' | 'globals'>,
  { file, name }: Pick<Loaded, 'file' | 'name'>,
  app: Pick<App, 'scale'> | null,
): Promise<void> {
  if (app === null || file.scale === undefined || file.scale === app.scale) return;
  const what = `${file.app} has ${count(app.scale, 'replica')}, but "scale" in ${name} is ${file.scale}`;
  await confirm({ what, name: String(file.scale) }, { ask: prompter, yes: globals.yes });
}
