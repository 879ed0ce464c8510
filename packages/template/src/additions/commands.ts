import type { Path } from '../diagnostic.ts';
import type { Scope } from '../meaning/scope.ts';
import { isSecretReference } from '../references.ts';
import { excerpt } from '../shape/words.ts';

const COMMANDS: readonly unknown[] = ['command', 'args'];

/** Checks that no command contains a secret. All users of an app and all programs on the server can see the command. */
export function checkCommands(scope: Scope): void {
  const secrets = new Set([...scope.inputs.values()].filter(({ type }) => type === 'secret').map(({ key }) => key));
  for (const { path, references } of scope.texts) {
    const secret = isOfCommand(path) ? references.find((one) => isSecretReference(one, secrets)) : undefined;
    if (secret === undefined) continue;
    const message = `The command contains the secret ${excerpt(secret.text)}, so all users of the app could read it.`;
    scope.error('command.secret', path, message, 'Pass the secret in a variable of the app instead.');
  }
}

/** Returns whether a path in a template, such as `apps.0.args.1`, is the path of a word of a command. */
function isOfCommand([, , key]: Path): boolean {
  return COMMANDS.includes(key);
}
